internal import PipFrames

/// Reads the time for which x86 packages have throttled themselves because of heat.
///
/// Source: the kernel's `arch/x86/kernel/cpu/mce/therm_throt.c` and its ABI documentation of `thermal_throttle`.
struct ThrottleCounters: SensorReader {
    private static let folder = "sys/devices/system/cpu"
    /// The assumed duration of one throttling event, for packages that count events but not time.
    private static let millisecondsPerCount = 1.0

    private struct Package {
        let source: String
        let path: String
        let unit: Double
        /// The counter in milliseconds at each sample of the last ten seconds, and at the last sample before.
        var totals: [(time: Timestamp, milliseconds: Double)] = []
    }
    private var packages: [Package] = []

    mutating func scan(_ files: some SensorFiles) {
        var found: [Int: Package] = [:]
        for cpu in files.numbered("cpu", in: Self.folder) {
            let folder = "\(Self.folder)/\(cpu)"
            let number = files.integer(at: "\(folder)/topology/physical_package_id") ?? 0
            guard found[number] == nil else { continue }
            let throttle = "\(folder)/thermal_throttle"
            let names = files.names(in: throttle)
            let kinds = [("package_throttle_total_time_ms", 1), ("package_throttle_count", Self.millisecondsPerCount)]
            guard let (name, unit) = kinds.first(where: { names.contains($0.0) }) else { continue }
            let source = "processor \(number)"
            let known = packages.first { $0.source == source }?.totals ?? []
            found[number] = Package(source: source, path: "\(throttle)/\(name)", unit: unit, totals: known)
        }
        packages = found.sorted { $0.key < $1.key }.map(\.value)
    }

    mutating func read(_ files: some SensorFiles, now: Timestamp, into samples: inout [RawSample]) {
        let window = PressureThresholds.throttlingWindow
        for index in packages.indices {
            let unit = packages[index].unit
            samples.append(
                files.sample(packages[index].source, at: packages[index].path) { text in
                    guard let value = Int(text), value >= 0 else { return nil }
                    let total = Double(value) * unit
                    var totals = packages[index].totals
                    while totals.count > 1, totals[1].time.duration(to: now) >= window { totals.removeFirst() }
                    // A counter that falls has been reset.
                    if let last = totals.last, last.milliseconds > total { totals = [] }
                    totals.append((now, total))
                    packages[index].totals = totals
                    let grown = total - totals[0].milliseconds
                    return .throttling(share: min(1, grown / (window.inSeconds * 1000)))
                })
        }
    }
}
