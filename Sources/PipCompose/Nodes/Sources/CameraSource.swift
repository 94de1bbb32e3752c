internal import Logging

/// A live camera.
///
/// A handle: copies are the same camera.
public final class CameraSource: FrameProducer {
    public let node: GraphNode
    /// The name in messages: how it was selected.
    let label: String

    /// - Parameters:
    ///   - selector: Which camera.
    ///   - wish: Size, rate, pixel format and controls; what is left out is chosen.
    public init(_ selector: CameraSelector, wish: CameraWish = CameraWish()) {
        label = selector.description
        node = GraphNode(.source(CameraSpecification(selector: selector, wish: wish)))
    }

    /// - Parameters:
    ///   - text: A path such as `/dev/video0`, `camera:1`, or a part of the camera's name.
    ///   - wish: Size, rate, pixel format and controls; what is left out is chosen.
    public convenience init(_ text: String, wish: CameraWish = CameraWish()) {
        self.init(CameraSelector(text) ?? .name(text), wish: wish)
    }
}

struct CameraSpecification: OpenableSource {
    var selector: CameraSelector
    var wish: CameraWish
    var label: String { selector.description }

    func open(_ id: NodeID, _ context: OpeningContext) throws(SessionError) -> SourceFeed {
        do throws(CaptureError) {
            let name = label
            let wish = context.wishes[id] ?? wish
            let slot = try CameraSlot(
                selector, wish: wish, in: context.cameras, waits: context.waitsForCameras,
                wantsSharedBuffers: context.sharesBuffers, logger: context.logger
            ) { event in
                context.onCameraEvent(id, name, event)
            }
            var format = slot.format.map(SourceFormat.init) ?? expectedFormat
            format.isShareable = slot.sharesBuffers
            return SourceFeed(
                id: id, name: label, inlet: CameraInlet(slot: slot), format: format,
                rate: slot.format?.frameRate ?? wish.frameRate)
        } catch {
            throw .camera(error)
        }
    }

    /// The expected format of a camera that has not been opened yet.
    private var expectedFormat: SourceFormat {
        let size = wish.size ?? .hd720
        return SourceFormat(layout: FrameLayout(.i420, size), colorimetry: .assumed(for: .i420, size))
    }
}

/// Takes a camera's newest frame at each moment.
struct CameraInlet: Inlet {
    let slot: CameraSlot

    var isLive: Bool { true }
    var isPaired: Bool { true }

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
