// Package format turns base units into text: bytes, nanoseconds (time.Duration), counts and
// thousandths of a degree in, one short string out. It is the only place that decides how a number
// looks. It holds no words that need translation (unit symbols are the same in English and German),
// does no statistics, and writes nothing for machines: exports print raw numbers themselves.
//
// Rules:
//   - A measured number has four significant digits: 7 321, 812.5, 88.12, 3.142. Larger numbers are
//     rounded to four digits too (812 300), because more would pretend a precision that no run has.
//   - Thousands are set apart by a narrow no-break space, in both languages; the decimal sign is the
//     language's. Between number and unit stands a no-break space.
//   - What is not known is "–". NaN, infinities and negative amounts are not known: they are never
//     printed as numbers. Zero is a number: a rate of 0 was measured.
//   - A number that is not zero never prints as 0: below the last digit it reads "<0.0001".
//
// Decimal or binary: rates, drive and volume sizes, free space and bytes written are decimal (1 GB
// is 10⁹ bytes), as makers print them on the box and as endurance is rated, so that "260 GB written,
// 512 GB free" can be compared by eye. Sizes of test files and blocks are binary (1 GiB, 4 KiB), as
// every benchmark of this kind names them.
package format
