internal import PipFrames

/// Reads the charge and the temperature of the machine's batteries.
///
/// Source: the kernel's ABI documentation of `/sys/class/power_supply`.
struct PowerSupplies: SensorReader {
    private static let folder = "sys/class/power_supply"

    private struct Battery {
        let source: String
        let folder: String
        /// The limits of the battery's temperature; nil without a thermometer or a limit.
        let limits: TemperatureLimits?
    }
    private var batteries: [Battery] = []

    mutating func scan(_ files: some SensorFiles) {
        batteries = files.names(in: Self.folder).sorted().compactMap { name in
            let folder = "\(Self.folder)/\(name)"
            guard (try? files.text(of: "\(folder)/type")) == "Battery",
                // The scope `Device` marks the battery of a peripheral, such as a mouse or a pen.
                (try? files.text(of: "\(folder)/scope")) != "Device",
                (try? files.text(of: "\(folder)/present")) != "0", files.integer(at: "\(folder)/capacity") != nil
            else { return nil }
            return Battery(source: "battery \(name)", folder: folder, limits: Self.limits(of: folder, files))
        }
    }

    func read(_ files: some SensorFiles, now: Timestamp, into samples: inout [RawSample]) {
        for battery in batteries {
            let isDischarging = (try? files.text(of: "\(battery.folder)/status")) == "Discharging"
            samples.append(
                files.sample(battery.source, at: "\(battery.folder)/capacity") { text in
                    guard let percent = Int(text), (0...100).contains(percent) else { return nil }
                    return .battery(percent: Double(percent), isDischarging: isDischarging)
                })
            guard let limits = battery.limits else { continue }
            samples.append(
                files.sample("\(battery.source) temperature", at: "\(battery.folder)/temp") { text in
                    // The kernel reports tenths of a degree.
                    Int(text).map {
                        .temperature(
                            TemperatureSample(celsius: Double($0) / 10, limits: limits, factor: .batteryStress))
                    }
                })
        }
    }

    private static func limits(of folder: String, _ files: some SensorFiles) -> TemperatureLimits? {
        guard files.integer(at: "\(folder)/temp") != nil else { return nil }
        var limits = TemperatureLimits()
        for name in ["temp_alert_max", "temp_max"] where limits.critical == nil {
            if let limit = files.integer(at: "\(folder)/\(name)") {
                limits.add(TemperatureLimits.Trip(Double(limit) / 10), at: \.critical)
            }
        }
        return limits.isEmpty ? nil : limits
    }
}
