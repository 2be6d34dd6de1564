package ui

import (
	"time"

	"cachecliff/bench"
	"cachecliff/ui/compare"
	"cachecliff/ui/results"
	"cachecliff/ui/run"
	"cachecliff/ui/tests"
)

// nobody is the user of a frame that is only drawn, as for a picture: whatever its widgets report, nothing
// comes of it.
type nobody struct{}

var _ actions = nobody{}

func (nobody) Choose(run.Choice)            {}
func (nobody) SetUnit(bench.Unit)           {}
func (nobody) SetComment(string)            {}
func (nobody) Start([]string)               {}
func (nobody) Stop()                        {}
func (nobody) SavePicture()                 {}
func (nobody) CopyText()                    {}
func (nobody) StartCached()                 {}
func (nobody) ChooseTest(tests.Choice)      {}
func (nobody) StartTest()                   {}
func (nobody) SetLevel(bool)                {}
func (nobody) Hold(bool)                    {}
func (nobody) OpenLast()                    {}
func (nobody) SaveAgain()                   {}
func (nobody) DiscardResult()               {}
func (nobody) Open(string)                  {}
func (nobody) Export(results.Kind)          {}
func (nobody) AskDelete(string)             {}
func (nobody) Delete(string)                {}
func (nobody) Restore(string)               {}
func (nobody) ChooseDrive(string, bool)     {}
func (nobody) SetPeriod(time.Duration)      {}
func (nobody) SetRecent(bool)               {}
func (nobody) StartWatch()                  {}
func (nobody) StopWatch()                   {}
func (nobody) SaveTable()                   {}
func (nobody) SaveGraph()                   {}
func (nobody) Compare([]string)             {}
func (nobody) LeaveCompare()                {}
func (nobody) ChooseCompare(compare.Choice) {}
func (nobody) MarkDrive(string, bool)       {}
func (nobody) KeepReference(string, string) {}
func (nobody) ImportReference()             {}
func (nobody) ExportReferences()            {}
func (nobody) RemoveReferences()            {}
func (nobody) OpenRoom(Room)                {}
func (nobody) PickTarget()                  {}
func (nobody) PickSetting()                 {}
