#if Media
internal import CGStreamer
public import PipCapture
internal import PipCompose
public import PipFrames
public import PipGraph
internal import PipSources

/// A camera by way of libcamera: the camera modules of Raspberry Pis and other boards.
///
/// Their nodes give raw pixels only, of which libcamera makes pictures.
/// Its frames have the times at which they were taken, and are shown beside those of other cameras. One that goes away
/// is looked for again, as a stream is; see ``StreamSource``. Exposure, gain, focus and white balance are decided by
/// libcamera, unless they are said when it is opened, and libcamera's version has properties for them.
public final class LibcameraSource: FrameProducer {
    public let node: GraphNode

    /// - Parameters:
    ///   - name: libcamera's name for it or a part of that, such as `imx219`; `first` takes the first.
    ///   - size: The size of its pictures; another one where it has none such.
    ///   - frameRate: Frames a second; nil leaves it to the camera.
    ///   - format: `mjpeg` for the compressed pictures of USB cameras; nil takes the uncompressed ones.
    ///   - adjustments: The picture by meaning; a session is not opened where libcamera cannot be told something of it.
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

/// The form in which libcamera hands over pictures.
public enum LibcameraFormat: String, Sendable, CaseIterable {
    /// Uncompressed.
    case raw
    /// JPEG pictures of cameras that make them, which are decoded.
    case mjpeg
}

/// What is asked of a camera of libcamera's.
struct LibcameraTarget: Sendable, Equatable {
    let name: String
    let size: PixelSize
    let rate: FrameRate?
    let format: LibcameraFormat
    var adjustments = CameraAdjustments()

    /// The elements whose last one gives its pictures; `camera` and `wish` are to be told what.
    static let elements = "\(LibcameraCamera.element) name=camera ! identity name=wish"

    /// The engine's descriptions of what is wished of a camera, the best first.
    func wishes(of camera: LibcameraCamera) -> [String] {
        let nearest = PixelSize.nearest(to: size, among: camera.sizes)
        let kind = format == .mjpeg ? "image/jpeg" : "video/x-raw"
        let sized = "\(kind),width=\(nearest.width),height=\(nearest.height)"
        let paced = rate.map { "\(sized),framerate=\($0.frames)/\($0.seconds)" }
        return [paced, sized, kind].compactMap(\.self)
    }

    /// Tells the element of a pipeline what the picture is to be like.
    ///
    /// - Throws: ``MediaError`` for what it has no property for.
    func adjust(_ pipeline: Pipeline) throws(MediaError) {
        let controls = try LibcameraControls(adjustments) { pipeline.has($0, of: "camera") }
        for setting in controls.settings { pipeline.set(setting.property, of: "camera", to: setting.value) }
    }

    /// Tells the elements of a pipeline which camera is meant, and what is wished of it.
    ///
    /// libcamera may give something near the wish, which a filter would refuse: it is asked for, and anything taken.
    func tell(_ pipeline: Pipeline, _ camera: LibcameraCamera) {
        pipeline.set("camera-name", of: "camera", to: camera.name)
        let wish = unsafe Unmanaged.passRetained(LibcameraWish(wishes(of: camera))).toOpaque()
        unsafe pipeline.withElement("wish") { element in
            guard let pad = unsafe gst_element_get_static_pad(element, "sink") else { return }
            defer { unsafe gst_object_unref(pad) }
            _ = unsafe gst_pad_add_probe(pad, GST_PAD_PROBE_TYPE_QUERY_DOWNSTREAM, answerWish, wish) { wish in
                if let wish = unsafe wish { unsafe Unmanaged<LibcameraWish>.fromOpaque(wish).release() }
            }
        }
    }
}

/// What a pipeline answers when it is asked what it takes.
private final class LibcameraWish {
    private let formats: [PacketFormat]

    init(_ wishes: [String]) { formats = wishes.map { PacketFormat(parsing: $0) } }

    /// The best that there is among what is offered; the caller lets go of it.
    func best(among offered: UnsafeMutablePointer<GstCaps>) -> UnsafeMutablePointer<GstCaps>? {
        for format in formats {
            guard let both = unsafe gst_caps_intersect(format.caps, offered) else { continue }
            if unsafe gst_caps_is_empty(both) == 0 { return unsafe both }
            unsafe gst_caps_unref(both)
        }
        return unsafe gst_caps_ref(offered)
    }
}

private func answerWish(
    _ pad: UnsafeMutablePointer<GstPad>?, _ info: UnsafeMutablePointer<GstPadProbeInfo>?, _ context: gpointer?
) -> GstPadProbeReturn {
    guard let query = unsafe gst_pad_probe_info_get_query(info), let context = unsafe context else {
        return GST_PAD_PROBE_OK
    }
    let wish = unsafe Unmanaged<LibcameraWish>.fromOpaque(context).takeUnretainedValue()
    switch unsafe query.pointee.type {
    case GST_QUERY_ACCEPT_CAPS: unsafe gst_query_set_accept_caps_result(query, 1)
    case GST_QUERY_CAPS:
        var offered: UnsafeMutablePointer<GstCaps>?
        unsafe gst_query_parse_caps(query, &offered)
        guard let offered = unsafe offered, let best = unsafe wish.best(among: offered) else { return GST_PAD_PROBE_OK }
        unsafe gst_query_set_caps_result(query, best)
        unsafe gst_caps_unref(best)
    default: return GST_PAD_PROBE_OK
    }
    return GST_PAD_PROBE_HANDLED
}
#endif
