package ata

import "regexp"

// attributeNames are what tools call the attributes that most drives agree on. Those of data written and read
// name no unit: they have another on nearly every line of drives.
var attributeNames = map[int]string{
	1: "Raw_Read_Error_Rate", 2: "Throughput_Performance", 3: "Spin_Up_Time", 4: "Start_Stop_Count",
	5: "Reallocated_Sector_Ct", 6: "Read_Channel_Margin", 7: "Seek_Error_Rate", 8: "Seek_Time_Performance",
	9: "Power_On_Hours", 10: "Spin_Retry_Count", 11: "Calibration_Retry_Count", 12: "Power_Cycle_Count",
	13: "Read_Soft_Error_Rate", 22: "Helium_Level",
	170: "Reserve_Block_Count", 171: "Program_Fail_Count", 172: "Erase_Fail_Count", 173: "Wear_Leveling_Count",
	174: "Unexpect_Power_Loss_Ct", 175: "Power_Loss_Cap_Test", 177: "Wear_Leveling_Count", 178: "Used_Rsvd_Blk_Cnt_Chip",
	179: "Used_Rsvd_Blk_Cnt_Tot", 180: "Unused_Rsvd_Blk_Cnt_Tot", 181: "Program_Fail_Cnt_Total",
	182: "Erase_Fail_Count_Total", 183: "Runtime_Bad_Block", 184: "End-to-End_Error", 187: "Reported_Uncorrect",
	188: "Command_Timeout", 189: "High_Fly_Writes", 190: "Airflow_Temperature_Cel", 191: "G-Sense_Error_Rate",
	192: "Power-Off_Retract_Count", 193: "Load_Cycle_Count", 194: "Temperature_Celsius", 195: "Hardware_ECC_Recovered",
	196: "Reallocated_Event_Count", 197: "Current_Pending_Sector", 198: "Offline_Uncorrectable",
	199: "UDMA_CRC_Error_Count", 200: "Multi_Zone_Error_Rate", 201: "Soft_Read_Error_Rate", 202: "Data_Address_Mark_Errs",
	220: "Disk_Shift", 222: "Loaded_Hours", 223: "Load_Retry_Count", 224: "Load_Friction", 225: "Load_Cycle_Count",
	226: "Load-in_Time", 228: "Power-off_Retract_Count", 231: "SSD_Life_Left", 232: "Available_Reservd_Space",
	235: "POR_Recovery_Count", 240: "Head_Flying_Hours",
	241: "Host_Writes", 242: "Host_Reads", 254: "Free_Fall_Sensor",
}

// A family is a line of drives whose maker says what the attributes count. The numbers are those of
// attributes; 0 is none.
type family struct {
	name          string
	model         *regexp.Regexp // anchored
	written, read int            // in units
	unit          uint64         // bytes
	life          int            // its mark falls from 100 as the drive wears
	names         map[int]string
}

// families are the lines of which the data sheets, or all tools, agree in what is counted. Where makers
// changed the unit between models a line is left out: a number that is wrong by a thousand is worse than none.
var families = []family{
	{name: "Samsung SSDs", model: regexp.MustCompile(`^(?:Samsung SSD 8|SAMSUNG MZ7|SAMSUNG MZN)`), written: 241, read: 242, unit: 512, life: 177,
		names: map[int]string{241: "Total_LBAs_Written", 242: "Total_LBAs_Read", 187: "Uncorrectable_Error_Cnt", 195: "ECC_Error_Rate", 199: "CRC_Error_Count", 202: "Exception_Mode_Status"}},
	{name: "Intel SSDs", model: regexp.MustCompile(`^INTEL SSDSC`), written: 241, read: 242, unit: 32 << 20, life: 233,
		names: map[int]string{170: "Available_Reservd_Space", 174: "Unsafe_Shutdown_Count", 187: "Uncorrectable_Error_Cnt", 190: "Case_Temperature",
			192: "Unsafe_Shutdown_Count", 194: "Drive_Temperature", 199: "CRC_Error_Count", 225: "Host_Writes_32MiB", 226: "Workld_Media_Wear_Indic",
			227: "Workld_Host_Reads_Perc", 228: "Workload_Minutes", 233: "Media_Wearout_Indicator", 234: "Thermal_Throttle_Status",
			241: "Host_Writes_32MiB", 242: "Host_Reads_32MiB", 243: "NAND_Writes_32MiB"}},
	{name: "Crucial and Micron SSDs", model: regexp.MustCompile(`^(?:Crucial_CT|CT[0-9]+(?:M|BX)|Micron_)`), written: 246, unit: 512, life: 202,
		names: map[int]string{173: "Ave_Block-Erase_Count", 180: "Unused_Reserve_NAND_Blk", 202: "Percent_Lifetime_Remain",
			206: "Write_Error_Rate", 210: "Success_RAIN_Recov_Cnt", 246: "Total_LBAs_Written", 247: "Host_Program_Page_Count",
			248: "FTL_Program_Page_Count"}},
	{name: "WD and SanDisk SSDs", model: regexp.MustCompile(`^(?:WDC +WDS|WD Blue SA510|SanDisk SD[6-9]S|SanDisk SDSSD)`), written: 241, read: 242, unit: 1 << 30,
		names: map[int]string{241: "Host_Writes_GiB", 242: "Host_Reads_GiB"}},
}

// familyOf finds the line of a model, or nil.
func familyOf(model string) *family {
	for i := range families {
		if families[i].model.MatchString(model) {
			return &families[i]
		}
	}
	return nil
}

// wrongTemperature are models that put no temperature in degrees where all others have it.
var wrongTemperature = regexp.MustCompile(`^SAMSUNG SV`)
