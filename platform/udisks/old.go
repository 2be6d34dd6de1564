package udisks

import "cachecliff/platform"

// Outdated takes out of what the service read a while ago, and this user may not have it read again, all that the
// drive's work moves: two such answers would say that a test changed nothing. What is wrong with the drive, how worn
// it is and how old stays.
func Outdated(h platform.Health) platform.Health {
	h.TempMilliC, h.Temperatures = nil, nil
	h.HostReads, h.HostWrites, h.ReadCommands, h.WriteCommands, h.ControllerBusyMin = nil, nil, nil, nil, nil
	h.MediaErrors, h.ErrorLogEntries, h.WarningTempMin, h.CriticalTempMin = nil, nil, nil, nil
	if h.Attributes != nil {
		h.Attributes = nil
		h.Explain(platform.WhyRights, platform.PartThresholds)
	}
	h.Explain(platform.WhyRights, platform.PartTemperature, platform.PartHostReads, platform.PartHostWrites,
		platform.PartReadCommands, platform.PartWriteCommands, platform.PartControllerBusy, platform.PartMediaErrors,
		platform.PartErrorLogEntries, platform.PartWarningTemp, platform.PartCriticalTemp)
	return h
}
