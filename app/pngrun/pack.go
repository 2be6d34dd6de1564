package pngrun

import (
	"bytes"
	"compress/zlib"
	"errors"
	"fmt"
	"io"

	"cachecliff/app/share"
	"cachecliff/app/store"
	"cachecliff/bench"
)

// textChunk is the kind of chunk for a text in UTF-8 (PNG specification, 11.3.3.4): keyword, 0, 1 for compressed, 0 for
// zlib, language tag, 0, translated keyword, 0, text. The two in between are empty.
const textChunk = "iTXt"

const head = Keyword + "\x00\x01\x00\x00\x00"

const headLength = uint32(len(head))

// ours says whether a text is a run.
func ours(data []byte) bool { return bytes.HasPrefix(data, []byte(Keyword+"\x00")) }

// mostMerged is how many samples are put together at most to make a run fit.
const mostMerged = 1 << 10

// pack makes the data of the chunk.
func pack(r bench.Result) ([]byte, error) {
	r = share.Public(r)
	longest := 1
	for _, m := range r.Measurements {
		longest = max(longest, len(m.Series))
	}
	for n := 1; n <= min(mostMerged, longest); n *= 2 {
		data, err := packed(merged(r, n))
		if err == nil || !errors.Is(err, ErrTooBig) {
			return data, err
		}
	}
	return nil, fmt.Errorf("%w: run %s", ErrTooBig, r.ID)
}

func packed(r bench.Result) ([]byte, error) {
	var text bytes.Buffer
	if err := store.Encode(&text, r); err != nil {
		return nil, err
	}
	if text.Len() > MaxRun {
		return nil, ErrTooBig
	}
	b := bytes.NewBufferString(head)
	z, err := zlib.NewWriterLevel(b, zlib.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := z.Write(text.Bytes()); err != nil {
		return nil, err
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	if b.Len() > MaxPacked {
		return nil, ErrTooBig
	}
	return b.Bytes(), nil
}

// merged puts each n samples of a step together. Percentiles cannot be put together and are left out, and of
// what the drives showed the newest is kept.
func merged(r bench.Result, n int) bench.Result {
	if n < 2 {
		return r
	}
	ms := make([]bench.Measurement, len(r.Measurements))
	for i, m := range r.Measurements {
		var series []bench.Sample
		for k, s := range m.Series {
			last := len(series) - 1
			if k%n == 0 || series[last].Warm != s.Warm {
				series = append(series, s)
				continue
			}
			one := &series[last]
			one.At, one.Took = s.At, one.Took+s.Took
			one.Read, one.Write = sum(one.Read, s.Read), sum(one.Write, s.Write)
			if len(s.Drive) > 0 {
				one.Drive = s.Drive
			}
		}
		m.Series = series
		ms[i] = m
	}
	r.Measurements = ms
	return r
}

func sum(a, b bench.Tally) bench.Tally {
	return bench.Tally{Ops: a.Ops + b.Ops, Bytes: a.Bytes + b.Bytes, SumLat: a.SumLat + b.SumLat}
}

// leanest is the least length in bytes of an object in the JSON of a run, on average; a run has more than a hundred. A
// text with more objects would take much more memory than its own length.
const leanest = 24

// unpack reads the data of the chunk.
func unpack(data []byte) (bench.Result, error) {
	body, ok := bytes.CutPrefix(data, []byte(head))
	if !ok {
		return bench.Result{}, fmt.Errorf("%w: the text is not packed as a run is", ErrDamaged)
	}
	packed := bytes.NewReader(body)
	z, err := zlib.NewReader(packed)
	if err != nil {
		return bench.Result{}, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	text, err := io.ReadAll(io.LimitReader(z, MaxRun+1))
	if len(text) > MaxRun {
		return bench.Result{}, fmt.Errorf("%w: more than %d bytes", ErrTooBig, MaxRun)
	}
	if err := errors.Join(err, z.Close()); err != nil {
		return bench.Result{}, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	if packed.Len() > 0 {
		return bench.Result{}, fmt.Errorf("%w: there is something behind the run", ErrDamaged)
	}
	if (bytes.Count(text, []byte("{"))+bytes.Count(text, []byte("[")))*leanest > len(text) {
		return bench.Result{}, fmt.Errorf("%w: this is no run", ErrDamaged)
	}
	return store.Decode(bytes.NewReader(text))
}
