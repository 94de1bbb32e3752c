#if Media
internal import CGStreamer
public import PipCapture
internal import PipCompose
public import PipFrames
public import PipGraph
internal import PipSources

/// A camera that libcamera drives, such as the camera modules of Raspberry Pis and other boards.
///
/// Use this source where the camera's own device delivers only raw sensor data, which libcamera turns into pictures.
///
/// The frames carry the times of their exposure, so that a session shows them beside other cameras' frames of the same
/// time. When the camera disappears, the source looks for it again, as a stream source reconnects; see
/// ``StreamSource``. libcamera controls exposure, gain, focus and white balance, unless `adjustments` sets them.
public final class LibcameraSource: FrameProducer {
    public let node: GraphNode

    /// Creates a source for one of libcamera's cameras.
    ///
    /// - Parameters:
    ///   - name: The camera's name in libcamera or a part of it, such as `imx219`. `first` takes the first camera.
    ///   - size: The size of the pictures. A camera that lacks the size delivers the nearest one.
    ///   - frameRate: The frames a second. Nil leaves the rate to the camera.
    ///   - format: The camera's output format: `.mjpeg` for the compressed pictures of USB cameras, else `.raw`.
    ///   - adjustments: The requested exposure, focus and colours. A session fails to open when libcamera cannot make
    ///     one of the adjustments.
    public init(
        _ name: String, size: PixelSize = .hd720, frameRate: FrameRate? = nil, format: LibcameraFormat = .raw,
        adjustments: CameraAdjustments = CameraAdjustments()
    ) {
        let target = StreamTarget.libcamera(
            LibcameraTarget(name: name, size: size, rate: frameRate, format: format, adjustments: adjustments))
        node = GraphNode(
            .source(
                LiveSourceSpecification(label: target.label) { circumstances throws(SourceError) in
                    try StreamReceiver(target, rate: frameRate, sound: StreamSoundFeed(), circumstances)
                }))
    }
}

/// The format in which libcamera delivers pictures.
///
/// Choose ``mjpeg`` for a USB camera that has higher rates or larger sizes in JPEG.
public enum LibcameraFormat: String, Sendable, CaseIterable {
    /// Uncompressed pictures.
    case raw
    /// JPEG pictures, from cameras that compress their pictures; the media engine decodes them.
    case mjpeg
}

/// The requested camera and the settings requested from it.
struct LibcameraTarget: Sendable, Equatable {
    let name: String
    let size: PixelSize
    let rate: FrameRate?
    let format: LibcameraFormat
    var adjustments = CameraAdjustments()

    /// The start of the pipeline: elements that deliver the camera's pictures.
    ///
    /// ``configure(_:for:)`` configures the elements named `camera` and `request`.
    static let elements = "\(LibcameraCamera.element) name=camera ! identity name=request"

    /// The requested formats as GStreamer caps, the best first.
    func requestedFormats(of camera: LibcameraCamera) -> [String] {
        let nearest = PixelSize.nearest(to: size, among: camera.sizes)
        let kind = format == .mjpeg ? "image/jpeg" : "video/x-raw"
        let sized = "\(kind),width=\(nearest.width),height=\(nearest.height)"
        let paced = rate.map { "\(sized),framerate=\($0.frames)/\($0.seconds)" }
        return [paced, sized, kind].compactMap(\.self)
    }

    /// Applies the requested adjustments to a pipeline's camera element.
    ///
    /// - Throws: ``MediaError`` for an adjustment that no property of the element can make.
    func adjust(_ pipeline: Pipeline) throws(MediaError) {
        let controls = try LibcameraControls(adjustments) { pipeline.has($0, of: "camera") }
        for setting in controls.settings { pipeline.set(setting.property, of: "camera", to: setting.value) }
    }

    /// Sets the pipeline's camera element to `camera`, and requests the size, rate and format.
    ///
    /// libcamera may deliver a format near the requested one, which a caps filter would refuse. A probe therefore
    /// answers libcamera's caps query with the requested format, but accepts any.
    func configure(_ pipeline: Pipeline, for camera: LibcameraCamera) {
        pipeline.set("camera-name", of: "camera", to: camera.name)
        let formats = requestedFormats(of: camera).map { PacketFormat(parsing: $0) }
        unsafe pipeline.addProbe(to: "sink", of: "request", GST_PAD_PROBE_TYPE_QUERY_DOWNSTREAM) { _, info in
            guard let query = unsafe gst_pad_probe_info_get_query(info) else { return GST_PAD_PROBE_OK }
            switch unsafe query.pointee.type {
            case GST_QUERY_ACCEPT_CAPS: unsafe gst_query_set_accept_caps_result(query, 1)
            case GST_QUERY_CAPS:
                var offered: UnsafeMutablePointer<GstCaps>?
                unsafe gst_query_parse_caps(query, &offered)
                guard let offered = unsafe offered, let best = unsafe Self.best(of: formats, among: offered) else {
                    return GST_PAD_PROBE_OK
                }
                unsafe gst_query_set_caps_result(query, best)
                unsafe gst_caps_unref(best)
            default: return GST_PAD_PROBE_OK
            }
            return GST_PAD_PROBE_HANDLED
        }
    }

    /// The best requested format that libcamera offers, or all offered formats if libcamera offers no requested format.
    ///
    /// The caller must release the caps.
    private static func best(
        of formats: [PacketFormat], among offered: UnsafeMutablePointer<GstCaps>
    ) -> UnsafeMutablePointer<GstCaps>? {
        for format in formats {
            guard let both = unsafe gst_caps_intersect(format.caps, offered) else { continue }
            if unsafe gst_caps_is_empty(both) == 0 { return unsafe both }
            unsafe gst_caps_unref(both)
        }
        return unsafe gst_caps_ref(offered)
    }
}
#endif
