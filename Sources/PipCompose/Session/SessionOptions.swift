public import Logging

/// The options that a session is created with; every option has a default.
public struct SessionOptions: Sendable {
    /// The source of the output's frame rate: the main source, the main camera, or a fixed rate.
    public var clock: OutputClock = .mainRate
    /// The pace of drawing: real time, or as fast as the machine can.
    public var pace = OutputPace.realTime
    /// True to fuse effects into shared passes.
    ///
    /// Set false to draw each node by itself, for comparison and bug reports.
    public var fuses = true
    /// The choice of the renderer: OpenGL ES, the CPU, or the cheaper of the two.
    public var renderer = RendererChoice.automatic
    /// The number of threads that draw a frame on the CPU, at least one; nil chooses the number.
    ///
    /// If nil, one thread draws while it needs at most half of the frame interval for a frame. When a thread needs
    /// longer, the number of threads rises until each thread needs a quarter of the interval, up to the number of
    /// processors. More threads use the same CPU time, and finish sooner.
    public var drawingThreads: Int?
    /// The use of dma-bufs, through which a GPU reads cameras' memory without a copy.
    public var bufferSharing = BufferSharing.automatic
    /// The most frames that wait in the queue of a sink.
    public var queueCapacity = 6
    /// The longest wait for the first frame of every source.
    ///
    /// After the wait, the output starts without the sources that have no frame. A session that runs as fast as files
    /// allow waits without end.
    public var patience: Duration = .seconds(2)
    /// The longest time that each sink may take to finish its file after the session is stopped or the sink's output is
    /// removed.
    public var closingTime: Duration = .seconds(2)
    /// The response to heat, power and load.
    public var pressure = PressureOptions()
    /// True to start without cameras and streams that are missing, busy or not permitted, and to open each one as soon
    /// as possible.
    ///
    /// If false, such a source makes the session fail to start. Either way, the session waits for a camera or stream
    /// that is lost later.
    public var startsWithoutCameras = false
    /// The matching of the cameras' exposure and white balance once they have settled.
    ///
    /// Nil leaves each camera's automatic controls on.
    public var cameraMatching: CameraMatching?
    /// The interval at which settling cameras are sampled.
    package var matchingInterval = Duration.milliseconds(200)
    /// True to end the session, and finish its files, once two calls of camera drivers have not returned.
    ///
    /// Each such call holds a thread that only the end of the process frees.
    ///
    /// Use this option in programs that a service manager restarts. If false, the session goes on with the other
    /// cameras, and reports ``SessionEvent/driversHang(_:)``.
    public var endsWithHungDrivers = false
    /// The receiver of log messages; nil logs nothing.
    public var logger: Logger?
    /// Called after each attempt to draw a frame, with the time at which its tick began, as a sign of life for a
    /// watchdog.
    ///
    /// Thread: render thread. The closure must not block.
    public var heartbeat: (@Sendable (Timestamp) -> Void)?

    /// Draws the text of slates: the missing camera or stream, the reason, and the time of the loss.
    ///
    /// Nil leaves slates without text.
    package var slateCaption: (any SlateCaption)?

    /// Makes decoders for cameras that send compressed video, such as H.264; nil refuses those cameras' video formats.
    package var videoDecoding: (any VideoDecoding)?

    /// The clock that the session waits by; a test may set a clock of virtual time.
    package var time = MonotonicClock()

    /// The executors in order of preference, instead of the choice that ``renderer`` makes on this machine; nil keeps
    /// that choice.
    package var executors: [Set<Executor>]?

    /// Replaces the driver's answer to whether the GPU was reset, so that a test can lose the context; nil asks the
    /// driver.
    package var resetStatus: (@Sendable () -> UInt32)?

    /// Creates options in which every property has its default value.
    public init() {}
}

/// The choice between dma-bufs, through which a GPU reads cameras' memory without a copy, and copies.
///
/// Memory that the camera's driver cannot export, or the GPU's driver cannot import, is always copied.
public enum BufferSharing: Sendable, CaseIterable {
    /// The GPU reads cameras' memory without a copy. The CPU draws from copies: mapping the memory for each pass costs
    /// more.
    case automatic
    /// Imports cameras' memory wherever that is possible, for comparison and bug reports.
    case always
    /// Always copies, for comparison and bug reports.
    case never

    func isWanted(on capabilities: Capabilities?) -> Bool {
        guard let capabilities else { return false }
        return switch self {
        case .automatic: capabilities.hasDMABufImport && capabilities.readsImportsInPlace
        case .always: capabilities.hasDMABufImport
        case .never: false
        }
    }
}

/// The source of the output's frame rate and phase.
public enum OutputClock: Sendable, Hashable {
    /// The frame rate of the main source, which is the source of the bottom layer; 30 frames a second when that rate is
    /// not known.
    case mainRate
    /// The frames of the main source, if the main source is a camera: each frame is shown once while the camera keeps
    /// its rate. Otherwise the same as ``mainRate``.
    ///
    /// A frame is now and then left out or repeated with ``mainRate``, because the camera's clock differs from this
    /// machine's. Late frames do not delay the output.
    case mainCamera
    /// A fixed frame rate.
    case rate(FrameRate)
}

/// The pace at which a session draws its frames.
///
/// Choose ``maximum`` to convert files to files.
public enum OutputPace: Sendable, Hashable {
    /// Each frame is drawn at its due time, for live viewers and listeners.
    case realTime
    /// Each frame is drawn as soon as files can be read, drawn and written.
    ///
    /// The output has the same frames as in real time, but takes less time. A session with a live source runs in
    /// ``realTime`` nevertheless.
    case maximum
}
