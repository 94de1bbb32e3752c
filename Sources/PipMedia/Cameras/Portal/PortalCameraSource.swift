#if Media
internal import PipCompose
internal import PipConcurrency
public import PipFrames
public import PipGraph
internal import PipSources

/// A camera by way of the desktop's portal, for programs in sandboxes (Flatpak, Snap), which see no `/dev/video*`.
///
/// The desktop asks the user, once in the life of the process, and gives a connection to PipeWire, in which the cameras
/// are. Its frames have the times at which they were taken, where the camera gives them, and are shown beside those of
/// other cameras. One that goes away is looked for again, as a stream is; see ``StreamSource``. Focus, exposure and the
/// like are the desktop's.
public final class PortalCameraSource: FrameProducer {
    public let node: GraphNode

    /// - Parameters:
    ///   - name: A part of the camera's name; nil takes the desktop's usual one.
    ///   - size: The size of its pictures; another one where it has none such.
    ///   - frameRate: Frames a second; nil leaves it to the camera.
    public convenience init(_ name: String? = nil, size: PixelSize = .hd720, frameRate: FrameRate? = nil) {
        self.init(name, size: size, frameRate: frameRate, bus: nil)
    }

    /// - Parameters:
    ///   - name: A part of the camera's name; nil takes the desktop's usual one.
    ///   - size: The size of its pictures.
    ///   - frameRate: Frames a second; nil leaves it to the camera.
    ///   - bus: The address of the bus that has the portal; nil takes the session's.
    init(_ name: String?, size: PixelSize, frameRate: FrameRate?, bus: String?) {
        let target = StreamTarget.portal(PortalTarget(name: name, size: size, rate: frameRate, bus: bus))
        node = GraphNode(
            .source(
                LiveSourceSpecification(label: target.label) { circumstances throws(SourceError) in
                    try StreamReceiver(target, rate: frameRate, sound: StreamSoundFeed(), circumstances)
                }))
    }

    /// True where the session's bus has a camera portal that knows of a camera, whether or not its user permits it.
    ///
    /// Takes a moment. Any thread may call.
    public static var isOffered: Bool { CameraPortal.onBus(nil).hasCamera == true }
}

/// What is asked of a camera of the portal's.
struct PortalTarget: Sendable, Equatable {
    /// A part of the camera's name; nil for the usual one.
    let name: String?
    let size: PixelSize
    let rate: FrameRate?
    /// The address of the bus that has the portal; nil for the session's.
    let bus: String?

    /// The elements whose last one gives its pictures; `camera` and `wish` are to be told what.
    ///
    /// Buffers are copied, since frames are kept for longer than PipeWire keeps its buffers.
    static let elements = "\(PipeWireCamera.element) name=camera always-copy=true ! capsfilter name=wish"

    /// How long the cameras of a new connection may take to be shown.
    ///
    /// The session manager permits them to it one by one.
    private static let patience = Duration.seconds(2)

    /// The portal, which keeps the user's answer.
    var portal: CameraPortal { .onBus(bus) }

    /// True when the user is yet to be asked.
    var needsAnswer: Bool { portal.isUnanswered }

    /// The engine's description of what is wished of a camera, the best first: PipeWire takes the first that it has.
    func wish(of camera: PipeWireCamera) -> String {
        let nearest = PixelSize.nearest(to: size, among: camera.sizes)
        let kinds = ["video/x-raw", "image/jpeg"]
        let sized = kinds.map { "\($0),width=\(nearest.width),height=\(nearest.height)" }
        let paced = rate.map { rate in sized.map { "\($0),framerate=\(rate.frames)/\(rate.seconds)" } } ?? []
        return (paced + sized + kinds).joined(separator: ";")
    }

    /// Finds the camera, and opens a connection in which it is.
    ///
    /// - Parameter interruption: Ends the wait for the user.
    /// - Returns: A connection that nobody has used, and the camera.
    /// - Throws: ``MediaError`` when there is no portal, the user refuses, or there is no such camera.
    func open(_ interruption: Interruption) throws(MediaError) -> (remote: PipeWireRemote, camera: PipeWireCamera) {
        // Before the user is asked in vain.
        try GStreamer.start()
        guard GStreamer.has(PipeWireCamera.element) else { throw GStreamer.missing([PipeWireCamera.element]) }
        let clock = MonotonicClock()
        var deadline: Timestamp?
        while true {
            // A connection for the list alone, which ends it.
            let cameras = PipeWireCamera.all(try portal.open(interruption))
            // Counts from the user's answer on.
            let end = deadline ?? clock.now.advanced(by: Self.patience)
            deadline = end
            do throws(MediaError) {
                let camera = try PipeWireCamera.find(name, among: cameras)
                return (try portal.open(interruption), camera)
            } catch {
                let next = min(end, clock.now.advanced(by: .milliseconds(100)))
                guard error.kind == .network, clock.now < end,
                    interruption.wait(for: -1, events: 0, until: next) == .timedOut
                else { throw error }
            }
        }
    }

    /// Tells the elements of a pipeline which camera is meant, and what is wished of it.
    func tell(_ pipeline: Pipeline, _ camera: PipeWireCamera, _ remote: PipeWireRemote) {
        pipeline.set("fd", of: "camera", to: "\(remote.descriptor)")
        pipeline.set("target-object", of: "camera", to: camera.serial)
        pipeline.set("caps", of: "wish", to: wish(of: camera))
    }
}
#endif
