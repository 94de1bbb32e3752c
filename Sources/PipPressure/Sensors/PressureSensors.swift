package import PipFrames

/// All sensors of the machine that measure pressure.
///
/// A value: reading it twice at the same moment from the same files gives the same samples.
package struct PressureSensors: Sendable {
    /// The interval at which sensors are enumerated and their limits read again.
    static let scanInterval = Duration.seconds(10)

    private let files: any SensorFiles
    private var readers: [any SensorReader]
    private var plausibility = Plausibility()
    private var scanned: Timestamp?
    private var named = NamedThresholds()

    /// - Parameter files: The kernel's files, which are the only sensors.
    package init(files: any SensorFiles) { self.init(files: files, mailbox: nil, gpus: { nil }) }

    /// - Parameter root: The folder in place of `/`. A folder other than `/` has files only, without libraries and
    ///   devices.
    package init(root: String = "/") {
        let isReal = root == "/"
        self.init(
            files: RootedFiles(root: root), mailbox: isReal ? RaspberryPiFirmware.mailbox(at: "/dev/vcio") : nil,
            gpus: { isReal ? NVML() : nil })
    }

    init(
        files: any SensorFiles, mailbox: (@Sendable () -> UInt32?)?, gpus: @escaping @Sendable () -> (any GPULibrary)?
    ) {
        self.files = files
        readers = [
            ThermalZones(), CoolingDevices(), HardwareMonitors(), ThrottleCounters(), FrequencyCaps(),
            RaspberryPiFirmware(mailbox: mailbox), PowerSupplies(), GPUClocks(load: gpus), Stalls(),
        ]
    }

    /// Reads every sensor.
    ///
    /// Blocks for as long as drivers take, usually some milliseconds.
    ///
    /// - Returns: The plausible samples, and the sensors set aside since the last call.
    package mutating func read(now: Timestamp) -> (samples: [SensorSample], problems: [SensorProblem]) {
        if scanned.map({ $0.duration(to: now) >= Self.scanInterval }) ?? true { scan(now: now) }
        let raw = readAll(now: now)
        let (samples, problems) = plausibility.judge(raw, now: now)
        return (samples, problems + named.unknown(among: raw))
    }

    /// The sensors that exist without a usable reading at this moment.
    package mutating func silent(now: Timestamp) -> [SensorProblem] {
        scan(now: now)
        return readAll(now: now).compactMap { Plausibility.problem(of: $0) }
    }

    /// Sets the thresholds of thermometers from now on, in place of their limits.
    ///
    /// - Parameter thresholds: The thresholds in degrees Celsius, keyed by the thermometers' names; see
    ///   ``PressurePolicy/thresholds``.
    package mutating func use(_ thresholds: [String: LevelThresholds]) {
        if named.thresholds != thresholds { named = NamedThresholds(thresholds) }
    }

    /// Enumerates sensors at the next reading, because one has come, gone or changed.
    package mutating func rescan() { scanned = nil }

    private mutating func readAll(now: Timestamp) -> [RawSample] {
        var raw: [RawSample] = []
        for index in readers.indices { readers[index].read(files, now: now, into: &raw) }
        return raw.map(named.applied(to:))
    }

    private mutating func scan(now: Timestamp) {
        scanned = now
        for index in readers.indices { readers[index].scan(files) }
    }
}
