internal import PipFrames

/// Reads temperatures and alarms of the chips that the kernel calls hardware monitors.
///
/// Source: the kernel's "Naming and data format standards for sysfs files".
struct HardwareMonitors: SensorReader {
    private static let folder = "sys/class/hwmon"
    /// The chips in processors that run up to their limit by design.
    private static let processors: Set = ["coretemp", "k10temp", "zenpower", "fam15h_power"]
    private static let gpus: Set = ["amdgpu", "radeon", "nouveau", "i915", "xe"]
    /// The chips that are left out: those on main boards, whose unconnected inputs report any value, and disks, which
    /// reading would keep awake.
    private static let leftOut = ["drivetemp", "nct", "it8", "w83", "f71", "sch5", "asus", "gigabyte", "lm78"]

    private struct Thermometer {
        let source: String
        /// The path of the thermometer's files up to the underscore: `sys/class/hwmon/hwmon0/temp1`.
        let path: String
        let limits: TemperatureLimits
        let factor: PressureFactor
        let runsToItsLimit: Bool
        let alarm: String?
        /// The file that contains `suspended` while the device sleeps; nil for chips other than GPUs.
        let power: String?
    }
    private var thermometers: [Thermometer] = []
    private var voltageAlarms: [(source: String, path: String)] = []

    mutating func scan(_ files: some SensorFiles) {
        thermometers = []
        voltageAlarms = []
        for monitor in files.numbered("hwmon", in: Self.folder) {
            let folder = "\(Self.folder)/\(monitor)"
            let chip = (try? files.text(of: "\(folder)/name")) ?? "unnamed"
            let names = Set(files.names(in: folder))
            if chip == "rpi_volt", names.contains("in0_lcrit_alarm") {
                voltageAlarms.append(("\(monitor) (\(chip))", "\(folder)/in0_lcrit_alarm"))
            }
            guard !Self.leftOut.contains(where: { chip.hasPrefix($0) }) else { continue }
            for input in names.sorted() where input.hasPrefix("temp") && input.hasSuffix("_input") {
                let name = String(input.dropLast("_input".count))
                thermometers.append(Self.thermometer(name, of: chip, monitor, names, files))
            }
        }
    }

    func read(_ files: some SensorFiles, now: Timestamp, into samples: inout [RawSample]) {
        for thermometer in thermometers {
            if let power = thermometer.power, (try? files.text(of: power)) == "suspended" {
                samples.append(RawSample(source: thermometer.source, result: .failure(.asleep)))
                continue
            }
            samples.append(
                files.sample(thermometer.source, at: "\(thermometer.path)_input") { text in
                    guard let millidegrees = Int(text) else { return nil }
                    return .temperature(
                        TemperatureSample(
                            celsius: Double(millidegrees) / 1000, limits: thermometer.limits,
                            factor: thermometer.factor, runsToItsLimit: thermometer.runsToItsLimit,
                            hasAlarm: thermometer.alarm.flatMap { files.integer(at: $0) } == 1))
                })
        }
        for alarm in voltageAlarms {
            samples.append(files.sample(alarm.source, at: alarm.path) { Int($0).map { .underVoltage($0 != 0) } })
        }
    }

    private static func thermometer(
        _ name: String, of chip: String, _ monitor: String, _ names: Set<String>, _ files: some SensorFiles
    ) -> Thermometer {
        let path = "\(folder)/\(monitor)/\(name)"
        let label = names.contains("\(name)_label") ? try? files.text(of: "\(path)_label") : nil
        return Thermometer(
            source: "\(monitor) \(name) (\(chip)\(label.map { " " + $0 } ?? ""))", path: path,
            limits: limits(name, path, names, files),
            factor: gpus.contains(chip) ? .gpuTemperature : .systemTemperature,
            runsToItsLimit: processors.contains(chip),
            alarm: ["\(name)_emergency_alarm", "\(name)_crit_alarm"].first { names.contains($0) }
                .map { "\(folder)/\(monitor)/\($0)" },
            power: gpus.contains(chip) ? "\(folder)/\(monitor)/device/power/runtime_status" : nil)
    }

    private static func limits(
        _ name: String, _ path: String, _ names: Set<String>, _ files: some SensorFiles
    ) -> TemperatureLimits {
        func trip(_ limit: String) -> TemperatureLimits.Trip? {
            guard names.contains("\(name)_\(limit)"), let value = files.integer(at: "\(path)_\(limit)") else {
                return nil
            }
            // hwmon reports the hysteresis as a temperature, not as a difference.
            let left = names.contains("\(name)_\(limit)_hyst") ? files.integer(at: "\(path)_\(limit)_hyst") : nil
            let hysteresis = left.map { max(0, min(10_000, value - $0)) } ?? 0
            return TemperatureLimits.Trip(Double(value) / 1000, hysteresis: Double(hysteresis) / 1000)
        }
        var limits = TemperatureLimits()
        for limit in ["crit", "emergency", "max"] where limits.critical == nil {
            if let trip = trip(limit) { limits.add(trip, at: \.critical) }
        }
        return limits
    }
}
