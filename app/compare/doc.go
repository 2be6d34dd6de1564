// Package compare sets drives and runs beside each other: bars of one metric, differences between two runs, and
// curves laid over each other. All of it is pure functions over package reference's values; it draws nothing.
//
// # What is compared with what
//
// Values that were measured are ranked among each other. What makers rate is never ranked with them. Two runs of this
// program are alike in a value if load, span of the file, method, system, and the way past or through the page cache
// and the drive's own cache are the same; else the reason is told, and they are not ranked with each other. Values of
// others were measured in their own ways: they are ranked, and source and conditions stand with each.
//
// # When a difference is one
//
// Two medians differ if the ranges of their loops have nothing in common, and each has three loops or more. With three
// loops each, two runs that are equally fast come apart so by chance in one of ten rows (2 of the 20 orders of six
// loops), with five in one of 126. What several runs of one drive differ by is not in it: a drive that was
// warmer or fuller is slower in every loop.
package compare
