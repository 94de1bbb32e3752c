public import Logging

/// How a session runs.
public struct SessionOptions: Sendable {
    /// When output frames are made.
    public var clock: OutputClock = .mainRate
    /// Whether effects share passes.
    ///
    /// Without, each node is drawn by itself, for comparison and bug reports.
    public var fuses = true
    /// Whether the GPU reads cameras' memory in place.
    public var bufferSharing = BufferSharing.automatic
    /// Frames that wait for each sink, at most.
    public var queueCapacity = 6
    /// How long to wait for the first frame of every source before the output starts without it.
    public var patience: Duration = .seconds(2)
    /// How long a sink may take to finish its file once the session ends.
    public var closingTime: Duration = .seconds(2)
    /// What is done about heat, power and load.
    public var pressure = PressureOptions()
    /// Whether the output starts without a camera that is missing, busy or not permitted, and takes it in when it can be opened.
    ///
    /// Without, such a camera keeps the session from starting. A camera that is lost later is waited for in any case.
    public var startsWithoutCameras = false
    /// Whether cameras keep their exposure and white balance once they have settled, so that their pictures go together; nil leaves
    /// each to itself.
    public var cameraMatching: CameraMatching?
    /// How often cameras are looked at while they settle.
    package var matchingInterval = Duration.milliseconds(200)
    /// Whether the session ends, with its files finished, once two drivers do not answer any more: each holds a thread that only the end of
    /// the process frees.
    ///
    /// For programs that are started again when they end. Without, it goes on with the cameras that answer, and says so.
    public var endsWithHungDrivers = false
    public var logger: Logger?
    /// Called by the loop that makes the frames, on its thread, at each of them and with its moment: a sign of life, for a watchdog.
    ///
    /// It must not block.
    public var heartbeat: (@Sendable (Timestamp) -> Void)?

    /// Writes on slates which camera is missing, and why; nil leaves them without words.
    package var slateCaption: (any SlateCaption)?

    /// The clock of everything in the session; a test may take one of virtual time.
    package var time = MonotonicClock()

    /// Answers in place of the driver whether the GPU was reset, so that a test can lose the context.
    package var resetStatus: (@Sendable () -> UInt32)?

    public init() {}
}

/// Whether the GPU reads cameras' memory in place, as dma-bufs, or copies of it.
///
/// What the camera's driver does not export, or the GPU's cannot read, is copied in any case.
public enum BufferSharing: Sendable, CaseIterable {
    /// In place, unless the CPU draws: it would map the memory anew for each pass, which costs more than a copy.
    case automatic
    /// In place, for comparison and bug reports.
    case always
    /// Copies, for comparison and bug reports.
    case never

    func isWanted(on capabilities: Capabilities) -> Bool {
        switch self {
        case .automatic: capabilities.hasDMABufImport && capabilities.readsImportsInPlace
        case .always: capabilities.hasDMABufImport
        case .never: false
        }
    }
}

/// When output frames are made.
public enum OutputClock: Sendable, Hashable {
    /// At the rate of the main source: the one that the bottom layer shows.
    case mainRate
    /// At a rate of its own.
    case rate(FrameRate)
    /// As fast as files can be read, drawn and written, at the main source's rate in file time. With a live source: as ``mainRate``.
    case maximum
}
