// Package udisks reads what UDisks2, the storage service of Linux desktops, tells of drives over D-Bus. The service
// runs with the rights that SMART takes and shows everybody what it read, so that a user without rights gets a
// drive's health and temperature as well.
//
// The package talks to nobody: it takes the properties of objects and the answers of methods as plain Go values, the
// way that godbus decodes them, with variants replaced by what is in them and object paths by strings. A value of another type than expected is one that is not there.
//
// Source: UDisks 2.9 to 2.11, interfaces org.freedesktop.UDisks2.Block, .Drive, .Drive.Ata and .NVMe.Controller
// (data/org.freedesktop.UDisks2.xml), and the units in atasmart.h of libatasmart.
package udisks
