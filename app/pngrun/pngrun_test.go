package pngrun

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"image"
	"image/draw"
	"image/png"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"cachecliff/app/share"
	"cachecliff/app/store"
	"cachecliff/bench"
	"cachecliff/platform"
)

func picture(t testing.TB) []byte {
	t.Helper()
	img := image.NewRGBA(image.Rect(0, 0, 40, 30))
	for i := range img.Pix {
		img.Pix[i] = byte(i * 7)
	}
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// run has so many samples, and names of people and drives.
func run(t testing.TB, samples int) bench.Result {
	t.Helper()
	spec, err := bench.ParseSpec("RND4K Q32")
	if err != nil {
		t.Fatal(err)
	}
	p := bench.AdHoc(spec)
	r := bench.Result{Schema: bench.Schema, ID: "20260619T085553Z-0badcafe", At: time.Date(2026, 6, 19, 8, 55, 53, 0, time.UTC),
		Reason: bench.ReasonDone, Comment: "mit Kühlkörper, /home/anna", Plan: bench.Plan{Profile: p, Target: platform.Target{
			Path: "/home/anna/test", Volume: platform.Volume{Mount: "/home", Source: "/dev/mapper/annapc-home"},
			Drives: []platform.Drive{{Key: "S3RIAL", Serial: "S3RIAL", Model: "Fast"}}}}}
	m := bench.Measurement{Step: bench.Step{Kind: bench.StepLoad, Workload: p.Workloads[0].ID, Spec: p.Workloads[0].Spec, Loop: 1}, Elapsed: time.Second, Stopped: true}
	for i := range samples {
		m.Series = append(m.Series, bench.Sample{At: time.Duration(i+1) * time.Second, Took: time.Second, Warm: i < 5,
			Read:  bench.Tally{Ops: int64(i), Bytes: int64(i) * 4096, P50: time.Duration(i * 31 % 977)},
			Drive: []bench.DriveReading{{Drive: "S3RIAL", Since: time.Duration(i)}}})
	}
	r.Measurements = []bench.Measurement{m}
	return r
}

func embed(t testing.TB, pic []byte, r bench.Result) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := Embed(&b, iotest.OneByteReader(bytes.NewReader(pic)), r); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func encoded(t testing.TB, r bench.Result) string {
	t.Helper()
	var b bytes.Buffer
	if err := store.Encode(&b, r); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestRoundTrip(t *testing.T) {
	pic, r := picture(t), run(t, 100)
	with := embed(t, pic, r)
	got, err := Extract(iotest.OneByteReader(bytes.NewReader(with)))
	if err != nil {
		t.Fatal(err)
	}
	if encoded(t, got) != encoded(t, share.Public(r)) {
		t.Error("another run came out")
	}
	for _, secret := range []string{"anna", "S3RIAL"} {
		if strings.Contains(encoded(t, got), secret) {
			t.Errorf("%s is told", secret)
		}
	}
	a, err := png.Decode(bytes.NewReader(pic))
	if err != nil {
		t.Fatal(err)
	}
	b, err := png.Decode(bytes.NewReader(with))
	if err != nil || !bytes.Equal(pixels(a), pixels(b)) {
		t.Errorf("the picture is another one: %v", err)
	}
	if again := embed(t, with, r); !bytes.Equal(again, with) {
		t.Error("a second run was put in beside the first")
	}
	if len(with) > len(pic)+4000 {
		t.Errorf("100 samples take %d bytes", len(with)-len(pic))
	}
}

func pixels(img image.Image) []byte {
	out := image.NewRGBA(img.Bounds())
	draw.Draw(out, out.Bounds(), img, image.Point{}, draw.Src)
	return out.Pix
}

// A run with a text of megabytes that cannot be packed leaves the picture as it is.
func TestAdd(t *testing.T) {
	pic, r := picture(t), run(t, 1)
	with, inside, err := Add(pic, r)
	if err != nil || !inside || !bytes.Equal(with, embed(t, pic, r)) {
		t.Errorf("%v, %v", inside, err)
	}
	long := make([]byte, 3*MaxPacked/2)
	for i := range long {
		long[i] = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.,"[rand.N(64)]
	}
	r.Comment = string(long)
	if got, inside, err := Add(pic, r); err != nil || inside || !bytes.Equal(got, pic) {
		t.Errorf("too long: %v, %v", inside, err)
	}
	if _, _, err := Add(pic[:30], run(t, 1)); !errors.Is(err, ErrDamaged) {
		t.Errorf("half a picture: %v", err)
	}
}

// A picture that was encoded anew says so.
func TestStripped(t *testing.T) {
	img, err := png.Decode(bytes.NewReader(embed(t, picture(t), run(t, 1))))
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	if _, err := Extract(&b); !errors.Is(err, ErrNoRun) {
		t.Errorf("%v", err)
	}
}

// A run of a day is put together until it fits, and still has all its bytes.
func TestLongRun(t *testing.T) {
	r := run(t, 250_000)
	got, err := Extract(bytes.NewReader(embed(t, picture(t), r)))
	if err != nil {
		t.Fatal(err)
	}
	series := got.Measurements[0].Series
	var ops int64
	var took time.Duration
	for i, s := range series {
		ops, took = ops+s.Read.Ops, took+s.Took
		if i > 0 && s.Warm && !series[i-1].Warm {
			t.Error("warm-up and measurement were put together")
		}
	}
	if n := len(series); n >= 250_000 || n < 1000 || ops != 250_000*249_999/2 || took != 250_000*time.Second {
		t.Errorf("%d samples with %d I/Os in %s", n, ops, took)
	}
}

// replaced is a picture with a chunk of the caller's instead of the run.
func replaced(t testing.TB, data []byte) []byte {
	t.Helper()
	pic := picture(t)
	end := len(pic) - 12
	var b bytes.Buffer
	b.Write(pic[:end])
	if err := write(&b, textChunk, data); err != nil {
		t.Fatal(err)
	}
	b.Write(pic[end:])
	return b.Bytes()
}

func deflated(t testing.TB, parts ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	b.WriteString(head)
	z := zlib.NewWriter(&b)
	for _, p := range parts {
		if _, err := io.WriteString(z, p); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestRefused(t *testing.T) {
	pic := picture(t)
	good := embed(t, pic, run(t, 3))
	flipped := bytes.Clone(good)
	flipped[len(good)-40] ^= 1
	long := bytes.Clone(pic)
	binary.BigEndian.PutUint32(long[8:], 1<<31)
	twice := bytes.Clone(good[:len(good)-12])
	from := bytes.Index(good, []byte("iTXt"+Keyword)) - 4
	twice = append(append(twice, good[from:len(good)-12]...), good[len(good)-12:]...)
	for name, c := range map[string]struct {
		data []byte
		want error
	}{
		"nothing":          {nil, ErrNotPNG},
		"text":             {[]byte("------------------------"), ErrNotPNG},
		"signature alone":  {pic[:8], ErrDamaged},
		"no run":           {pic, ErrNoRun},
		"cut":              {good[:len(good)-20], ErrDamaged},
		"without an end":   {good[:len(good)-12], ErrDamaged},
		"a wrong bit":      {flipped, ErrDamaged},
		"a long chunk":     {long, ErrDamaged},
		"no head":          {append(bytes.Clone(pic[:8]), pic[33:]...), ErrDamaged},
		"two runs":         {twice, ErrDamaged},
		"not packed":       {replaced(t, []byte(Keyword+"\x00\x00\x00\x00\x00{}")), ErrDamaged},
		"no zlib":          {replaced(t, []byte(head+"{}")), ErrDamaged},
		"something behind": {replaced(t, append(deflated(t, encoded(t, run(t, 1))), 'x')), ErrDamaged},
		"no run in it":     {replaced(t, deflated(t, strings.Repeat("x", 100))), store.ErrDamaged},
		"newer":            {replaced(t, deflated(t, `{"schema":99,"summary":{},"result":{},"pad":"`+strings.Repeat("x", 200)+`"}`)), store.ErrNewer},
		"a bomb":           {replaced(t, deflated(t, strings.Repeat(strings.Repeat(" ", 1<<20), 33))), ErrTooBig},
		"many objects":     {replaced(t, deflated(t, `{"schema":1,"x":[`+strings.Repeat("{},", 1<<20)+`{}]}`)), ErrDamaged},
		"a text of others": {replaced(t, []byte("Comment\x00\x00\x00\x00\x00hello")), ErrNoRun},
	} {
		if _, err := Extract(bytes.NewReader(c.data)); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
	fault := errors.New("unplugged")
	if _, err := Extract(io.MultiReader(bytes.NewReader(good[:50]), iotest.ErrReader(fault))); !errors.Is(err, fault) {
		t.Errorf("a reader that fails: %v", err)
	}
	if _, err := Extract(io.MultiReader(bytes.NewReader(pic[:len(pic)-12]), &endless{})); !errors.Is(err, ErrTooBig) {
		t.Errorf("a picture without end: %v", err)
	}
	if err := Embed(io.Discard, bytes.NewReader(pic[:40]), run(t, 1)); !errors.Is(err, ErrDamaged) {
		t.Errorf("half a picture: %v", err)
	}
}

// endless is chunks of nothing with a right checksum, for ever.
type endless struct{ rest []byte }

func (e *endless) Read(b []byte) (int, error) {
	if len(e.rest) == 0 {
		var c bytes.Buffer
		if err := write(&c, "teXt", make([]byte, 1<<20)); err != nil {
			return 0, err
		}
		e.rest = c.Bytes()
	}
	n := copy(b, e.rest)
	e.rest = e.rest[n:]
	return n, nil
}

// Whatever the picture, nothing panics, and what comes out can be kept.
func FuzzExtract(f *testing.F) {
	f.Add(embed(f, picture(f), run(f, 2)))
	f.Add(picture(f))
	f.Add(replaced(f, deflated(f, encoded(f, run(f, 1)))))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := Extract(bytes.NewReader(data))
		if err == nil {
			if _, err := Extract(bytes.NewReader(embed(t, picture(t), r))); err != nil {
				t.Errorf("a run that was taken out cannot be put in: %v", err)
			}
		}
	})
}

// The text itself, without the checksums that keep a fuzzer from it.
func FuzzText(f *testing.F) {
	f.Add([]byte(encoded(f, run(f, 2))))
	f.Fuzz(func(t *testing.T, text []byte) {
		var b bytes.Buffer
		b.WriteString(head)
		z := zlib.NewWriter(&b)
		if _, err := z.Write(text); err != nil {
			t.Fatal(err)
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		r, err := Extract(bytes.NewReader(replaced(t, b.Bytes())))
		if err == nil {
			if _, err := pack(r); err != nil {
				t.Error(err)
			}
		}
	})
}
