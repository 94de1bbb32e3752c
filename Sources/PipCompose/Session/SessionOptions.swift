public import Logging

/// The options of a session.
public struct SessionOptions: Sendable {
    /// The clock of output frames.
    public var clock: OutputClock = .mainRate
    /// The pace at which frames are made: real time, or as fast as the machine can.
    public var pace = OutputPace.realTime
    /// True to fuse effects into shared passes.
    ///
    /// False draws each node by itself, for comparison and bug reports.
    public var fuses = true
    /// The choice of what draws: OpenGL ES or the CPU.
    public var renderer = RendererChoice.automatic
    /// The number of threads, one at least, that draw a frame on the CPU; nil chooses the number.
    ///
    /// Nil takes one thread while that draws within half of a frame's interval. Otherwise it takes as many as bring the
    /// time to a quarter, up to the number of processors. More threads cost the same CPU time, and finish sooner.
    public var drawingThreads: Int?
    /// The use of dma-bufs, by which a GPU reads cameras' memory in place.
    public var bufferSharing = BufferSharing.automatic
    /// The most frames that are queued for a sink.
    public var queueCapacity = 6
    /// The longest wait for the first frame of every source before the output starts without it.
    public var patience: Duration = .seconds(2)
    /// The time in which a sink has to finish its file once the session ends.
    public var closingTime: Duration = .seconds(2)
    /// The response to heat, power and load.
    public var pressure = PressureOptions()
    /// True to start without a camera that is missing, busy or not permitted, and to open it as soon as it can be.
    ///
    /// Otherwise such a camera keeps the session from starting. A camera that is lost later is waited for in any case.
    public var startsWithoutCameras = false
    /// The matching of the cameras' exposure and white balance once they have settled; nil leaves each to its
    /// automatics.
    public var cameraMatching: CameraMatching?
    /// The interval at which settling cameras are sampled.
    package var matchingInterval = Duration.milliseconds(200)
    /// True to end the session, its files finished, once two drivers hang: each holds a thread that only the end of the
    /// process frees.
    ///
    /// For programs that a service manager restarts. Otherwise it goes on with the cameras that answer, and says so.
    public var endsWithHungDrivers = false
    /// The receiver of log messages; nil logs nothing.
    public var logger: Logger?
    /// Called by the loop that makes the frames, on its thread, at each of them and with its moment: a sign of life,
    /// for a watchdog.
    ///
    /// It must not block.
    public var heartbeat: (@Sendable (Timestamp) -> Void)?

    /// Writes on slates which camera is missing, and why; nil leaves them without words.
    package var slateCaption: (any SlateCaption)?

    /// Decodes the video of cameras that send it.
    package var videoDecoding: (any VideoDecoding)?

    /// The clock of everything in the session; a test may take one of virtual time.
    package var time = MonotonicClock()

    /// The executors in order of preference, in place of those that ``renderer`` stands for on this
    /// machine.
    package var executors: [Set<Executor>]?

    /// Answers in place of the driver whether the GPU was reset, so that a test can lose the context.
    package var resetStatus: (@Sendable () -> UInt32)?

    /// The default options.
    public init() {}
}

/// The choice between dma-bufs, by which a GPU reads cameras' memory in place, and copies.
///
/// Memory that the camera's driver does not export, or the GPU's driver cannot import, is copied in any case.
public enum BufferSharing: Sendable, CaseIterable {
    /// The GPU reads in place. The CPU draws from copies: mapping the memory for each pass costs more than a copy.
    case automatic
    /// Imports in place wherever that is possible, for comparison and bug reports.
    case always
    /// Copies, for comparison and bug reports.
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

/// The clock of a session's output frames.
public enum OutputClock: Sendable, Hashable {
    /// The rate of the main source, which the bottom layer shows.
    case mainRate
    /// The frames of the main source, if that is a camera: each frame is shown once, as long as the camera keeps time.
    ///
    /// By ``mainRate``, a frame is left out or repeated now and then, as the camera's clock and this machine's differ.
    /// Frames that come late do not hold the output up.
    case mainCamera
    /// A fixed rate.
    case rate(FrameRate)
}

/// The pace at which a session makes its frames: choose ``maximum`` where files become files.
public enum OutputPace: Sendable, Hashable {
    /// Each frame is made at its moment, for somebody who looks or listens.
    case realTime
    /// Each frame is made as soon as files can be read, drawn and written.
    ///
    /// A movie becomes another one in a part of its length, with the same frames. A session with a live source takes
    /// ``realTime`` all the same.
    case maximum
}
