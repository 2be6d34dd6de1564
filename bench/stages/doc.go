// Package stages finds where a drive that is written to without a pause becomes slower: the end of its write
// cache, and what comes after. It is a pure function over a series of bytes and times; it knows nothing of drives.
//
// # How it works
//
// All is done on the logarithm of the rate, since a drop from 4,000 to 3,000 MB/s and one from 400 to 300 are the
// same, and over bytes written, not over time: a slow stage lasts for hours and a fast one for a minute, and each
// gigabyte has one vote.
//
//  1. Points are put together until each has 1/4096 of all bytes or more. Points without a byte, where the drive
//     stood still, are added to the next one.
//  2. A point far off the median of its seven neighbours is taken to be as fast as they are: drives flush and
//     sleep for a moment. What is reported later comes from the points as they were measured.
//  3. The series is cut where the sum of squared distances from the mean of each piece, and a price for each cut, is
//     least (optimal partitioning; Jackson et al., IEEE Signal Processing Letters 12, 2005, with the pruning of
//     Killick et al., JASA 107, 2012). The price is that of the Schwarz criterion for the noise of this series, which
//     is told by the differences of neighbours.
//  4. Cuts are taken back, the weakest first, until each that is left is a border between stages:
//     - the rate changes by at least 15 % there, both between the whole stages and between the parts next to the
//     border. So a hard disk that slows down evenly from the outer to the inner tracks has no border. A change of less
//     than 25 % must stand out of what the rate differs by within the stages;
//     - two stages whose middle fifths overlap are one;
//     - a piece between two others of the same rate is a part of their stage, if it has less than 5 % of all bytes or
//     is hot and they are not: dips and passing heat;
//     - a piece between a faster and a slower one, of less than 5 % of what lies before and after it,
//     is the way from one to the other;
//     - where the rate goes up and down four times or more, that is one stage which swings; a piece
//     beside a stage ten times as long that has its rate now and then is a part of it;
//     - each stage has at least 0.2 % of all bytes, and three points.
//  5. Each border is placed anew with the rates of both sides known. A point that lies across it is shared out
//     by its time. The doubt of the place are all places that are not much less likely, and at least the point
//     that the border is in.
//
// # Causes
//
// A border at which the rate falls is put down to heat if the drive was hot (throttled, or at its limit) in most of
// what followed and not before it; else to the cache, if the rate does not
// come back to 80 % of what it was before the end of the series; else the cause
// is unknown. So is that of a drop after
// which less than ten seconds were written: other programs hold a drive up as long. The cache ends at the first border that is put down to it.
//
// # Limits
//
// A drop of less than 15 % is never a stage, one of less than 25 % may be missed. A stage shorter than three points is
// not seen: of a cache of 5 GB that is written at 5 GB/s there are ten points if they are 100 ms apart. A cache that ends by
// a slow decline over more than about a tenth of its size is taken for a decline, not for a border.
package stages
