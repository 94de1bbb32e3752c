internal import PipFrames

/// Reads the cooling devices that throttle processors and GPUs.
///
/// Fans are left out, because they cost no performance.
///
/// Source: the kernel's "Generic Thermal Sysfs driver How To".
struct CoolingDevices: SensorReader {
    private static let folder = "sys/class/thermal"
    /// Parts of the type names of throttling devices, in lower case.
    private static let kinds = ["processor", "cpufreq", "devfreq", "powerclamp", "idle", "gpu", "throttle", "tcc"]
    /// The full type names of further throttling devices, found on Tegra boards.
    private static let names: Set = ["light", "heavy", "oc1", "oc2", "oc3", "oc4"]

    private struct Device {
        let source: String
        let path: String
        let maximum: Int
        let factor: PressureFactor
    }
    private var devices: [Device] = []
    /// The lowest state of each device so far, keyed by the device's name.
    ///
    /// A state that was set before the first sample does not count as pressure.
    private var baselines: [String: Int] = [:]

    mutating func scan(_ files: some SensorFiles) {
        devices = files.numbered("cooling_device", in: Self.folder).compactMap { name in
            let folder = "\(Self.folder)/\(name)"
            guard let type = try? files.text(of: "\(folder)/type"), Self.slowsDown(type),
                let maximum = files.integer(at: "\(folder)/max_state"), maximum > 0
            else { return nil }
            let isGPU = type.lowercased().contains("gpu") || type.lowercased().contains("devfreq")
            return Device(
                source: "\(name) (\(type))", path: "\(folder)/cur_state", maximum: maximum,
                factor: isGPU ? .gpuTemperature : .systemTemperature)
        }
    }

    mutating func read(_ files: some SensorFiles, now: Timestamp, into samples: inout [RawSample]) {
        for device in devices {
            samples.append(
                files.sample(device.source, at: device.path) { text in
                    guard let read = Int(text), read <= device.maximum else { return nil }
                    // Intel's powerclamp device reports -1 while it is idle.
                    let state = max(0, read)
                    let baseline = min(state, baselines[device.source] ?? state)
                    baselines[device.source] = baseline
                    return .cooling(
                        state: state, maximum: device.maximum, baseline: baseline, factor: device.factor)
                })
        }
    }

    private static func slowsDown(_ type: String) -> Bool {
        let type = type.lowercased()
        guard !type.contains("fan") else { return false }
        return names.contains(type) || kinds.contains { type.contains($0) }
    }
}
