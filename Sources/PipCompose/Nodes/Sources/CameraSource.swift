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
            let device = try context.cameras.camera(matching: selector)
            let name = label
            let calls = context.cameras.calls
            let camera = try Camera(device, wish: wish, calls: calls, logger: context.logger) { event in
                context.onCameraEvent(id, name, event)
            }
            let format = SourceFormat(layout: camera.format.layout, colorimetry: camera.format.colorimetry)
            return SourceFeed(
                id: id, name: label, inlet: .camera(camera), format: format, rate: camera.format.frameRate)
        } catch {
            throw .camera(error)
        }
    }
}
