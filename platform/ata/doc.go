// Package ata decodes what an ATA drive answers: IDENTIFY DEVICE, the SMART pages and the device statistics.
// It talks to no device; platform/host fetches the bytes.
//
// The layouts of IDENTIFY DEVICE and of the SMART page, and the look-up of a drive in a database, come from
// github.com/dswarbrick/smart. That library believes every page and reads numbers in the order of this
// computer; the checks are made here, and the order is always that of the drive, the lowest byte first.
package ata
