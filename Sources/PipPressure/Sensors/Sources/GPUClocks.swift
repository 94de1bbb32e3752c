internal import PipFrames
internal import SystemPackage

/// A library that reports why GPUs' clocks are lowered.
protocol GPULibrary: Sendable {
    /// The reasons for each GPU's lowered clock; nil for a GPU whose reasons cannot be read.
    func clockReasons() -> [GPUClockReasons?]
}

/// Reads why the clocks of NVIDIA's GPUs are lowered.
struct GPUClocks: SensorReader {
    private static let driver = "sys/bus/pci/drivers/nvidia"

    /// Loads the library, which takes a while and wakes the GPUs; returns nil when no library with a GPU can be loaded.
    private let load: @Sendable () -> (any GPULibrary)?
    private var library: (any GPULibrary)?
    private var devices: [String] = []
    /// The number of GPUs at the last reading.
    private var count = 0

    init(load: @escaping @Sendable () -> (any GPULibrary)?) { self.load = load }

    mutating func scan(_ files: some SensorFiles) {
        devices = files.names(in: Self.driver).filter { $0.contains(":") }.sorted()
        if !devices.isEmpty, library == nil, isAwake(files) { library = load() }
    }

    mutating func read(_ files: some SensorFiles, now: Timestamp, into samples: inout [RawSample]) {
        guard let library else { return }
        // Reading would keep a GPU awake although it could save power, and a sleeping GPU is not throttled.
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
