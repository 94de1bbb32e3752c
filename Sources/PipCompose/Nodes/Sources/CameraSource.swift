internal import Logging

/// A live camera.
///
/// A handle: all references to it stand for the same camera of the graph.
public final class CameraSource: FrameProducer {
    public let node: GraphNode
    /// The name in messages: the selector that the camera was created with.
    let label: String

    /// - Parameters:
    ///   - selector: The choice of a camera.
    ///   - wish: The requested size, rate, pixel format and controls. The library chooses what the wish leaves open.
    public init(_ selector: CameraSelector, wish: CameraWish = CameraWish()) {
        label = selector.description
        node = GraphNode(
            .source(CameraSpecification(label: label, setup: CameraSetup(selector, wish: wish))))
    }

    /// - Parameters:
    ///   - text: A path such as `/dev/video0`, `camera:1`, or a part of the camera's name.
    ///   - wish: The requested size, rate, pixel format and controls. The library chooses what the wish leaves open.
    public convenience init(_ text: String, wish: CameraWish = CameraWish()) {
        self.init(CameraSelector(text) ?? .name(text), wish: wish)
    }

    /// The choice of a camera.
    ///
    /// A new selector replaces the camera while the session runs. Where the bus has bandwidth for both, the new camera
    /// delivers frames before the old one stops. Set cameras within ``Session/configure(_:)``, which throws when a
    /// camera refuses the settings.
    public var selector: CameraSelector {
        get { setup.selector }
        set { edit { $0.selector = newValue } }
    }

    /// The requested mode, controls and picture adjustments.
    ///
    /// Only the differences from the old wish are applied to a running camera: the mode, and all changed controls
    /// together. Values set by ``Session/adjust(_:_:)`` and ``Session/setControls(_:of:)`` stay, unless the new wish
    /// changes them.
    public var wish: CameraWish {
        get { setup.wish }
        set { edit { $0.wish = newValue } }
    }

    /// True unless the graph switches the camera off.
    ///
    /// A camera that is switched off keeps its format and its buffers; no other camera is affected.
    public var isEnabled: Bool {
        get { setup.isEnabled }
        set { edit { $0.isEnabled = newValue } }
    }

    /// The graph's settings of the camera.
    ///
    /// Inside a draft's edit, these are the draft's settings.
    private var setup: CameraSetup {
        node.wiring.graph.camera(node.id) ?? CameraSetup(CameraSelector(label) ?? .name(label))
    }

    /// Requests settings that the session applies together with the draft's other changes.
    ///
    /// - Parameters:
    ///   - draft: The draft that the settings belong to.
    ///   - add: Adds settings to the request, its first argument. The second argument is the camera's request before
    ///     the draft's changes.
    func request(in draft: Draft, _ add: (inout CameraRequest, CameraRequest) -> Void) {
        let before = draft.base.camera(node.id)?.request ?? CameraRequest()
        edit { add(&$0.request, before) }
    }

    private func edit(_ change: (inout CameraSetup) -> Void) {
        node.wiring.edit { (graph: inout Graph) throws(Never) in
            guard case .source(let source)? = graph[node.id], var camera = source as? CameraSpecification else {
                return
            }
            change(&camera.setup)
            graph.set(.source(camera), for: node.id)
        }
    }
}

struct CameraSpecification: OpenableSource {
    let label: String
    var setup: CameraSetup

    func merging(_ own: any SourceSpecification, _ other: any SourceSpecification) -> any SourceSpecification {
        guard var own = own as? CameraSpecification, let other = other as? CameraSpecification else { return own }
        own.setup = setup.merging(own.setup, other.setup)
        return own
    }

    func open(_ id: NodeID, _ context: OpeningContext) throws(SessionError) -> SourceFeed {
        do throws(CaptureError) {
            let name = label
            let wish = context.wishes[id] ?? setup.wish
            let slot = try CameraSlot(
                setup.selector, wish: wish, isEnabled: setup.isEnabled, in: context.cameras,
                waits: context.waitsForCameras, wantsSharedBuffers: context.sharesBuffers, logger: context.logger
            ) { event in
                context.onCameraEvent(id, name, event)
            }
            var format = slot.format.map(SourceFormat.init) ?? expectedFormat
            format.isShareable = slot.sharesBuffers
            if slot.format != nil { format.orientation = slot.orientation }
            return SourceFeed(
                id: id, name: label, inlet: CameraInlet(slot: slot), format: format,
                rate: slot.format?.frameRate ?? wish.frameRate)
        } catch {
            throw .camera(error)
        }
    }

    /// The format assumed for a camera that has not been opened yet.
    private var expectedFormat: SourceFormat {
        let size = setup.wish.size ?? .hd720
        let turn: Orientation = if case .fixed(let turn) = setup.wish.rotation { turn } else { .identity }
        return SourceFormat(
            layout: FrameLayout(.i420, size), colorimetry: .assumed(for: .i420, size), orientation: turn)
    }
}

extension Graph {
    /// The settings of a camera's node; nil when the node is not a camera.
    func camera(_ id: NodeID) -> CameraSetup? {
        guard case .source(let source)? = self[id] else { return nil }
        return (source as? CameraSpecification)?.setup
    }
}

/// Takes a camera's newest frame at each tick.
struct CameraInlet: Inlet {
    let slot: CameraSlot

    var isLive: Bool { true }
    var isPaired: Bool { true }
    var isPaused: Bool { slot.isPaused }
    var frameRate: FrameRate? { slot.deliveredRate }

    var availability: Availability {
        switch slot.state {
        case .streaming: .delivering
        case .lost: .lost
        case .opening, .stalled, .disabled, .closed: .silent
        }
    }

    func start(at offset: Duration) throws(SessionError) {
        do throws(CaptureError) { try slot.start() } catch { throw .camera(error) }
    }

    func stop() async { await slot.stop() }

    func take(_ moment: InletMoment) -> Intake { Intake(frame: slot.frames.take()) }

    func report(_ statistics: inout SessionStatistics.Source, passedOver: Int) {
        let counted = slot.statistics
        statistics.kind = .camera
        statistics.device = slot.device?.path
        statistics.format = slot.format?.deviceFourCC.description ?? ""
        statistics.framesPerSecond = counted.framesPerSecond
        statistics.delivered = counted.delivered
        statistics.drops = counted.dropped
        statistics.drops[.late] += passedOver
        statistics.lastSequence = counted.lastSequence
        statistics.state = slot.state
    }
}

extension SourceFormat {
    init(_ format: CameraFormat) { self.init(layout: format.layout, colorimetry: format.colorimetry) }
}
