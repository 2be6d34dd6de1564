// Package bench measures drives. It takes a test as data, runs it on a platform.Host, and reports what
// happens as one stream of events. It knows no windows, no files of results and no words of a language.
//
// The pipeline:
//
//  1. A Profile is a list of Workloads, each a Spec; Profile.With applies what the user changed.
//  2. NewPlan joins it with a platform.Target, checks everything that can be checked before a byte is
//     written, and flattens it into Steps.
//  3. Run makes the test file, writes it in full, and gives one Step after the other to a Measurer:
//     Local measures in this process, worker.Process in a process of its own.
//  4. Workers (loop.go) keep a queue full, or submit what is due (arrivals.go), and count into accumulators of their own. Ten times a second
//     these are merged into a Sample.
//     A sampler (sampler.go) takes down the drives' own counters and temperatures all the while, pauses included.
//  5. At the end of a Step its counts and histograms become a Measurement.
//  6. Every step of the way is an Event. A Result is the fold of the events (Result.Apply), so what is
//     saved is what was shown.
//  7. Outcomes turns the Measurements of a Result into best, median and spread, at the edge.
//
// Inside are bytes, nanoseconds and counts; rates are computed by the one who shows them.
package bench
