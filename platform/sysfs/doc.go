// Package sysfs reads what a Linux system tells about drives and about itself in text files: /sys,
// /proc, /run/udev, /etc and /dev/disk. It makes no system calls and has no build tags: it gets an
// fs.FS that looks like "/", or bytes, so every case can be tested on made-up trees on any system. What
// only a system call can tell comes in as a value (Probe) or a function (Resolver.MountID).
//
// A fact file that is missing or unreadable is an unknown fact, not a failure: drivers differ in what
// they publish. Only where nothing can be said without a file is its absence an error.
package sysfs
