internal import PipFrames
internal import SystemPackage

/// A library that reports the reasons for GPUs' lowered clocks.
protocol GPULibrary: Sendable {
    /// The reasons of each GPU; nil for a GPU that does not report any.
    func clockReasons() -> [GPUClockReasons?]
}

/// The reasons for lowered clocks of NVIDIA's GPUs.
struct GPUClocks: SensorReader {
    private static let driver = "sys/bus/pci/drivers/nvidia"

    /// Loads the library, which takes a while and wakes the GPUs.
    private let load: @Sendable () -> (any GPULibrary)?
    private var library: (any GPULibrary)?
    private var devices: [String] = []
    /// The number of GPUs.
    private var count = 0

    init(load: @escaping @Sendable () -> (any GPULibrary)?) { self.load = load }

    mutating func scan(_ files: some SensorFiles) {
        devices = files.names(in: Self.driver).filter { $0.contains(":") }.sorted()
        if !devices.isEmpty, library == nil, isAwake(files) { library = load() }
    }

    mutating func read(_ files: some SensorFiles, now: Timestamp, into samples: inout [RawSample]) {
        guard let library else { return }
        // Reading would keep a GPU awake that sleeps to save power. A sleeping GPU is not slowed down.
        let told = isAwake(files) ? library.clockReasons() : Array(repeating: [], count: count)
        count = told.count
        for (index, reasons) in told.enumerated() {
            samples.append(
                RawSample(
                    source: "GPU \(index)",
                    result: reasons.map { .success(.gpuClock($0)) } ?? .failure(.unreadable(.ioError))))
        }
    }

    private func isAwake(_ files: some SensorFiles) -> Bool {
        devices.contains { (try? files.text(of: "\(Self.driver)/\($0)/power/runtime_status")) != "suspended" }
    }
}
