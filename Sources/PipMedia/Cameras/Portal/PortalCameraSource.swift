#if Media
internal import PipCompose
internal import PipConcurrency
public import PipFrames
public import PipGraph
internal import PipSources

/// A camera that the desktop's portal opens, for sandboxed programs (Flatpak, Snap), which see no `/dev/video*`.
///
/// Use this source where ``isOffered`` is true and the program has no access to camera devices. The portal asks the
/// user, once in the life of the process, and opens a connection to PipeWire that shows the permitted cameras.
///
/// The frames carry the times of exposure that the camera reports, so that a session shows the frames beside other
/// cameras' frames of the same time. When the camera disappears, the source looks for the camera again, as a stream
/// source reconnects; see ``StreamSource``. The desktop controls focus, exposure and white balance.
public final class PortalCameraSource: FrameProducer {
    public let node: GraphNode

    /// Creates a source for one of the portal's cameras.
    ///
    /// - Parameters:
    ///   - name: A part of the camera's name. Nil takes the desktop's default camera.
    ///   - size: The size of the pictures. A camera that lacks the size delivers the nearest one.
    ///   - frameRate: The frames a second. Nil leaves the rate to the camera.
    public convenience init(_ name: String? = nil, size: PixelSize = .hd720, frameRate: FrameRate? = nil) {
        self.init(name, size: size, frameRate: frameRate, bus: nil)
    }

    /// Creates a source for a camera of the portal on a given bus.
    ///
    /// - Parameters:
    ///   - name: A part of the camera's name. Nil takes the desktop's default camera.
    ///   - size: The size of the pictures.
    ///   - frameRate: The frames a second. Nil leaves the rate to the camera.
    ///   - bus: The address of the bus that has the portal. Nil takes the session bus.
    init(_ name: String?, size: PixelSize, frameRate: FrameRate?, bus: String?) {
        let target = StreamTarget.portal(PortalTarget(name: name, size: size, rate: frameRate, bus: bus))
        node = GraphNode(
            .source(
                LiveSourceSpecification(label: target.label) { circumstances throws(SourceError) in
                    try StreamReceiver(target, rate: frameRate, sound: StreamSoundFeed(), circumstances)
                }))
    }

    /// True where a running camera portal on the session bus knows of a camera, even before the user permits its use.
    ///
    /// Thread: any. Blocks for at most a few seconds, while the portal answers.
    public static var isOffered: Bool { CameraPortal.onBus(nil).hasCamera == true }
}

/// The requested camera of the portal and the settings requested from it.
struct PortalTarget: Sendable, Equatable {
    /// A part of the camera's name; nil for the desktop's default camera.
    let name: String?
    let size: PixelSize
    let rate: FrameRate?
    /// The address of the bus that has the portal; nil for the session bus.
    let bus: String?

    /// The start of the pipeline: elements that deliver the camera's pictures.
    ///
    /// ``configure(_:for:over:)`` configures the elements named `camera` and `request`. The option `always-copy` copies
    /// PipeWire's buffers, because frames live longer than PipeWire keeps a buffer.
    static let elements = "\(PipeWireCamera.element) name=camera always-copy=true ! capsfilter name=request"

    /// The longest wait for the camera after the user's answer, because the session manager permits cameras one by one.
    private static let timeout = Duration.seconds(2)

    /// The portal on `bus`; it keeps the user's answer.
    var portal: CameraPortal { .onBus(bus) }

    var needsAnswer: Bool { portal.isUnanswered }

    /// The requested formats as GStreamer caps, the best first; PipeWire takes the first that the camera has.
    func requestedFormats(of camera: PipeWireCamera) -> String {
        let nearest = PixelSize.nearest(to: size, among: camera.sizes)
        let kinds = ["video/x-raw", "image/jpeg"]
        let sized = kinds.map { "\($0),width=\(nearest.width),height=\(nearest.height)" }
        let paced = rate.map { rate in sized.map { "\($0),framerate=\(rate.frames)/\(rate.seconds)" } } ?? []
        return (paced + sized + kinds).joined(separator: ";")
    }

    /// Finds the camera and opens a connection that shows it.
    ///
    /// - Parameter interruption: Ends the waits for the user and for the camera.
    /// - Returns: An unused connection, and the camera.
    /// - Throws: ``MediaError`` when GStreamer lacks PipeWire's element, when there is no portal or the portal fails,
    ///   when the user refuses, when no camera or several match, or when an interruption ends a wait.
    func open(_ interruption: Interruption) throws(MediaError) -> (remote: PipeWireRemote, camera: PipeWireCamera) {
        // Check for the element first, so that the user is not asked in vain.
        try GStreamer.require([PipeWireCamera.element])
        let clock = MonotonicClock()
        var deadline: Timestamp?
        while true {
            // Listing the cameras uses up a connection, so the camera's pipeline gets another one.
            let cameras = PipeWireCamera.all(try portal.open(interruption))
            // The time limit for cameras to appear starts after the user's answer.
            let end = deadline ?? clock.now.advanced(by: Self.timeout)
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

    /// Sets the pipeline's camera element to `camera`, and requests the size, rate and format.
    func configure(_ pipeline: Pipeline, for camera: PipeWireCamera, over remote: PipeWireRemote) {
        pipeline.set("fd", of: "camera", to: "\(remote.descriptor)")
        pipeline.set("target-object", of: "camera", to: camera.serial)
        // WirePlumber 0.5 may otherwise move the stream to another camera, also when this one is unplugged.
        pipeline.set(
            "stream-properties", of: "camera",
            to: "stream,node.dont-move=true,node.dont-fallback=true,node.dont-reconnect=true")
        pipeline.set("caps", of: "request", to: requestedFormats(of: camera))
    }
}
#endif
