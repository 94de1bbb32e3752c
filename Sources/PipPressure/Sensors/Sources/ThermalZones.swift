internal import PipFrames

/// Reads the kernel's thermal zones, with the trip points at which the kernel acts.
///
/// Source: the kernel's "Generic Thermal Sysfs driver How To".
struct ThermalZones: SensorReader {
    private static let folder = "sys/class/thermal"

    private struct Zone {
        let source: String
        let path: String
        let limits: TemperatureLimits
        let factor: PressureFactor
        let runsToItsLimit: Bool
    }
    private var zones: [Zone] = []

    mutating func scan(_ files: some SensorFiles) {
        zones = files.numbered("thermal_zone", in: Self.folder).map { name in
            let folder = "\(Self.folder)/\(name)"
            let type = (try? files.text(of: "\(folder)/type")) ?? ""
            let limits = Self.limits(of: folder, files)
            return Zone(
                source: type.isEmpty ? name : "\(name) (\(type))", path: "\(folder)/temp", limits: limits,
                factor: Self.factor(of: type),
                // A zone with a passive trip is meant to throttle at that trip, not to run up to its limit.
                runsToItsLimit: type == "x86_pkg_temp" && limits.passive == nil && limits.hot == nil)
        }
    }

    func read(_ files: some SensorFiles, now: Timestamp, into samples: inout [RawSample]) {
        for zone in zones {
            samples.append(
                files.sample(zone.source, at: zone.path) { text in
                    guard let millidegrees = Int(text) else { return nil }
                    return .temperature(
                        TemperatureSample(
                            celsius: Double(millidegrees) / 1000, limits: zone.limits, factor: zone.factor,
                            runsToItsLimit: zone.runsToItsLimit))
                })
        }
    }

    /// Reads the trip points of a zone; the numbers of the trip points may have gaps.
    private static func limits(of folder: String, _ files: some SensorFiles) -> TemperatureLimits {
        var limits = TemperatureLimits()
        for name in files.names(in: folder) where name.hasPrefix("trip_point_") && name.hasSuffix("_type") {
            let point = "\(folder)/\(name.dropLast("_type".count))"
            guard let kind = try? files.text(of: "\(point)_type"), let limit = limit(kind),
                let temperature = files.integer(at: "\(point)_temp")
            else { continue }
            let hysteresis = files.integer(at: "\(point)_hyst") ?? 0
            limits.add(
                TemperatureLimits.Trip(Double(temperature) / 1000, hysteresis: Double(hysteresis) / 1000), at: limit)
        }
        return limits
    }

    private static func limit(_ kind: String) -> WritableKeyPath<TemperatureLimits, TemperatureLimits.Trip?>? {
        switch kind {
        case "passive": \.passive
        case "hot": \.hot
        case "critical": \.critical
        // An active trip starts a fan, so it is not a limit.
        default: nil
        }
    }

    private static func factor(of type: String) -> PressureFactor {
        let type = type.lowercased()
        if type.contains("gpu") { return .gpuTemperature }
        return type.hasPrefix("cam") ? .cameraTemperature : .systemTemperature
    }
}
