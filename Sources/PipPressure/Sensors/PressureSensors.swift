package import PipFrames

/// All of the machine's sensors that measure pressure.
package struct PressureSensors: Sendable {
    /// The interval at which the sensors are enumerated and their limits read again.
    static let scanInterval = Duration.seconds(10)

    private let files: any SensorFiles
    private var readers: [any SensorReader]
    private var plausibility = Plausibility()
    private var scanned: Timestamp?
    private var named = NamedThresholds()

    /// Creates sensors that are read from files only.
    ///
    /// - Parameter files: The kernel's sensor files, or a test's.
    package init(files: any SensorFiles) { self.init(files: files, mailbox: nil, gpus: { nil }) }

    /// Creates all sensors of the machine.
    ///
    /// - Parameter root: The folder in place of `/`. For a folder other than `/`, only files are read, no libraries and
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
    /// Blocks for as long as the drivers take, usually some milliseconds.
    ///
    /// - Returns: The plausible samples, and the problems found since the last call.
    package mutating func read(now: Timestamp) -> (samples: [SensorSample], problems: [SensorProblem]) {
        if scanned.map({ $0.duration(to: now) >= Self.scanInterval }) ?? true { scan(now: now) }
        let raw = readAll(now: now)
        let (samples, problems) = plausibility.judge(raw, now: now)
        return (samples, problems + named.unknown(among: raw))
    }

    /// The sensors that exist but give no usable reading at present, without those of sleeping devices.
    package mutating func silent(now: Timestamp) -> [SensorProblem] {
        scan(now: now)
        return readAll(now: now).compactMap { Plausibility.problem(of: $0) }
    }

    /// Sets thresholds for thermometers from now on, in place of the thermometers' limits.
    ///
    /// - Parameter thresholds: The thresholds in degrees Celsius, keyed by the thermometers' names; see
    ///   ``PressurePolicy/thresholds``.
    package mutating func use(_ thresholds: [String: LevelThresholds]) {
        if named.thresholds != thresholds { named = NamedThresholds(thresholds) }
    }

    /// Makes the next reading enumerate the sensors again, because a sensor has come, gone or changed.
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
