internal import Logging

/// A live camera.
public struct CameraSource: FrameProducer {
    public let node: GraphNode

    /// - Parameters:
    ///   - selector: Which camera.
    ///   - wish: Size, rate, pixel format and controls; what is left out is chosen.
    public init(_ selector: CameraSelector, wish: CameraWish = CameraWish()) {
        node = GraphNode(.source(CameraSpecification(selector: selector, wish: wish)))
    }

    /// `text`: A path such as `/dev/video0`, `camera:1`, or a part of the camera's name.
    public init(_ text: String, wish: CameraWish = CameraWish()) {
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
                id: id, name: label, inlet: .camera(slot), format: format,
                rate: slot.format?.frameRate ?? wish.frameRate)
        } catch {
            throw .camera(error)
        }
    }

    /// What a camera that was not there yet will probably deliver.
    private var expectedFormat: SourceFormat {
        let size = wish.size ?? .hd720
        return SourceFormat(layout: FrameLayout(.i420, size), colorimetry: .assumed(for: .i420, size))
    }
}

extension SourceFormat {
    init(_ format: CameraFormat) { self.init(layout: format.layout, colorimetry: format.colorimetry) }
}
