package condition

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"cachecliff/app/format"
	"cachecliff/app/words"
	"cachecliff/platform"
)

// allCodes are those that the rules can give.
var allCodes = []Code{CodeFailing, CodeReliability, CodeReadOnly, CodeBackup, CodeMemory, CodeWarning, CodeSpare, CodeSpareLow, CodeTemperature,
	CodeHot, CodeWorn, CodeMediaErrors, CodeBelow, CodeWasBelow, CodeReplaced, CodePending, CodeLost, CodeSpinRetries, CodeEndToEnd}

func everyLanguage(f func(w *words.Words, l format.Locale)) {
	f(words.New(words.English), format.EN)
	f(words.New(words.German), format.DE)
}

// empty says whether a text is only the name of a message that is not there, or has a gap.
func empty(s string) bool {
	return s == "" || strings.Contains(s, "condition.") || strings.Contains(s, "smart.") || strings.Contains(s, "no value")
}

func TestEverythingHasWords(t *testing.T) {
	h := platform.Health{Attributes: []platform.Attribute{{ID: 5, Name: "Reallocated_Sector_Ct"}}}
	everyLanguage(func(w *words.Words, l format.Locale) {
		seen := map[string]Code{}
		for _, c := range allCodes {
			s := Sentence(w, Reason{Code: c, Value: new(int64(41_000)), Limit: new(int64(70_000)), Attr: 5}, h, l)
			if empty(s) || seen[s] != "" {
				t.Errorf("%s %s: %q", w.Lang(), c, s)
			}
			seen[s] = c
		}
		for _, g := range grades {
			if s := Name(w, g); empty(s) {
				t.Errorf("%s %s: %q", w.Lang(), g, s)
			}
			if (Advice(w, g) != "") != (g == Bad || g == Caution) {
				t.Errorf("%s %s: advice %q", w.Lang(), g, Advice(w, g))
			}
		}
		for _, why := range []platform.Why{platform.WhyRights, platform.WhyNotReported, platform.WhyBus, platform.WhyBridge, platform.WhyAsleep, platform.WhyFailed} {
			if s := Refused(w, why); empty(s) {
				t.Errorf("%s %s: %q", w.Lang(), why, s)
			}
			all := platform.Health{Attributes: h.Attributes}
			all.Explain(why)
			all.Explain(why, platform.PartThresholds)
			if s := Absent(w, all); len(s) != 1 || empty(s[0]) || !strings.Contains(s[0], PartName(w, platform.PartThresholds)) {
				t.Errorf("%s %s: absent: %q", w.Lang(), why, s)
			}
		}
	})
}

func TestSentences(t *testing.T) {
	w := words.New(words.English)
	h := platform.Health{Attributes: []platform.Attribute{{ID: 233, Name: "Media_Wearout_Indicator"}}}
	for want, r := range map[string]Reason{
		"4 % of the spare blocks are left, and the drive needs 10 %":                                  {Code: CodeSpare, Value: new(int64(4)), Limit: new(int64(10))},
		"The spare blocks are nearly used up, says the drive":                                         {Code: CodeSpare},
		"The drive has 83 °C, and warns from 82 °C on":                                                {Code: CodeHot, Value: new(int64(83_150)), Limit: new(int64(82_000))},
		"The drive says that its temperature is outside of its limits: 83 °C":                         {Code: CodeTemperature, Value: new(int64(83_150))},
		"1 sector that cannot be read and waits to be written anew":                                   {Code: CodePending, Value: new(int64(1)), Attr: 197},
		"7 errors that the drive could not correct: data was lost or could not be read":               {Code: CodeMediaErrors, Value: new(int64(7))},
		"103 % of the endurance that the maker vouches for are used up":                               {Code: CodeWorn, Value: new(int64(103)), Limit: new(int64(100))},
		"Attribute 233 (Media_Wearout_Indicator) is at 9; at 10 or below the drive counts as failing": {Code: CodeBelow, Value: new(int64(9)), Limit: new(int64(10)), Attr: 233},
		"Attribute 3 was down to 20 in the past; at 21 or below the drive counts as failing":          {Code: CodeWasBelow, Value: new(int64(20)), Limit: new(int64(21)), Attr: 3},
		"The drive warns of a fault that is not known here":                                           {Code: "of-tomorrow"},
	} {
		if got := spaces.Replace(Sentence(w, r, h, format.EN)); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if s := Refused(w, ""); s != "" {
		t.Errorf("no reason: %q", s)
	}
	if s := Refused(w, "of-tomorrow"); s != "" {
		t.Errorf("a reason that is not known: %q", s)
	}
}

// spaces takes the special spaces out that numbers are printed with.
var spaces = strings.NewReplacer("\u00a0", " ", "\u202f", " ")

func TestFacts(t *testing.T) {
	h := platform.Health{
		Passed: platform.Yes, TempMilliC: new(int32(41_850)), Temperatures: []platform.Reading{{Label: "Composite", MilliC: 41_850}, {Label: "Sensor 1", MilliC: 50_000}},
		Limits:    platform.TempLimits{WarnMilliC: new(int32(81_850)), CritMilliC: new(int32(84_850))},
		SpareLeft: new(100), SpareThreshold: new(5), PercentUsed: new(16), HostWrites: new(uint64(94_678_652_928_000)), HostReads: new(uint64(0)),
		WriteCommands: new(uint64(4_922_206_599)), ControllerBusyMin: new(uint64(165)), PowerOnHours: new(uint64(12_164)), PowerCycles: new(uint64(22)),
		WarningTempMin: new(uint32(0)), LightSeconds: new(uint32(75)), HeavySeconds: new(uint32(0)),
	}
	want := []string{
		"SMART self-assessment: passed", "Temperature: 42 °C, Sensor 1 50 °C", "Temperature limits: warns at 82 °C, critical at 85 °C", "Available spare: 100 %",
		"Available spare threshold: 5 %", "Percentage used: 16 %", "Data written: 94.68 TB", "Data read: 0 B", "Host write commands: 4 922 206 599",
		"Controller busy time: 2 h 45 min", "Power-on hours: 12 164 h", "Power cycles: 22", "Time above the warning temperature: 0 min",
		"Time lightly throttled (TMT1): 1 min 15 s", "Time heavily throttled (TMT2): 0 s",
	}
	var got []string
	for _, f := range Facts(words.New(words.English), h, format.EN) {
		got = append(got, spaces.Replace(f.Name+": "+f.Text))
	}
	if a, b := strings.Join(got, "\n"), strings.Join(want, "\n"); a != b {
		t.Errorf("got\n%s\nwant\n%s", a, b)
	}
	if f := Facts(words.New(words.English), platform.Health{}, format.EN); len(f) > 0 {
		t.Errorf("of nothing: %v", f)
	}
	if f := Facts(words.New(words.English), platform.Health{TempMilliC: new(int32(-5_000)), ControllerBusyMin: new(uint64(1 << 60))}, format.EN); len(f) != 2 ||
		spaces.Replace(f[0].Text) != "−5 °C" || !strings.HasSuffix(f[1].Text, "min") {
		t.Errorf("cold, and long busy: %v", f)
	}
}

// silent are attributes of which a name is known, and no more than that.
var silent = map[string]bool{"Data_Address_Mark_Errs": true, "Disk_Shift": true, "Exception_Mode_Status": true, "Load-in_Time": true, "Load_Friction": true,
	"Read_Channel_Margin": true, "Workld_Host_Reads_Perc": true, "Workld_Media_Wear_Indic": true, "Workload_Minutes": true}

// TestMeanings looks for a meaning of all names that the decoder gives.
func TestMeanings(t *testing.T) {
	b, err := os.ReadFile(filepath.Join("..", "..", "platform", "ata", "attributes_tables.go"))
	if err != nil {
		t.Fatal(err)
	}
	names := regexp.MustCompile(`\d+: +"([A-Za-z0-9_-]+)"`).FindAllStringSubmatch(string(b), -1)
	if len(names) < 80 {
		t.Fatalf("%d names", len(names))
	}
	everyLanguage(func(w *words.Words, _ format.Locale) {
		for _, n := range names {
			if s := Meaning(w, platform.Attribute{Name: n[1]}); (s == "") != silent[n[1]] {
				t.Errorf("%s %s: %q", w.Lang(), n[1], s)
			}
		}
	})
	if s := Meaning(words.New(words.English), platform.Attribute{ID: 5}); s != "" {
		t.Errorf("without a name: %q", s)
	}
}
