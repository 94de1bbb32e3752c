#if Media
internal import CGStreamer
internal import PipFrames

/// A decoded picture with its times.
struct DecodedPicture {
    let format: DecodedFormat
    let layout: FrameLayout
    let memory: FrameBuffer
    /// The picture's presentation timestamp, from an arbitrary origin; nil when the stream gives none.
    let time: Duration?
    /// The time until the next picture; nil when the stream does not state it.
    let duration: Duration?
    /// The running time: the presentation time since the pipeline's start; nil without a timestamp.
    let runningTime: Duration?
    /// The stream time: the presentation time since the file's beginning; nil without a timestamp.
    let streamTime: Duration?
}

/// The output of a pipeline that decodes video.
///
/// Thread: one thread at a time.
final class PictureOutlet {
    /// The elements at the pipeline's end, which make drawable pictures: a drawable format, square pixels and no
    /// interlacing.
    static let elements =
        "videoconvert name=convert ! capsfilter name=formats caps=\"\(opaqueFormats)\" ! deinterlace mode=auto fields=top method=greedyl "
        + "! videoscale ! video/x-raw,pixel-aspect-ratio=1/1 ! appsink name=out"

    private static let opaqueFormats = "video/x-raw,format=(string){I420,NV12}"
    private static let alphaFormats = "video/x-raw,format=(string)RGBA"

    /// The result of waiting for a picture.
    enum Outcome {
        case picture(DecodedPicture)
        case nothing
        case ended
        case failed(MediaError)
    }

    private let pipeline: Pipeline
    private let outlet: Outlet
    private let hasFullRange: Bool
    private let alpha: MovieAlpha
    private var format: DecodedFormat?

    /// Sets up the elements at the end of a pipeline.
    ///
    /// - Parameters:
    ///   - pipeline: A pipeline whose description ends with ``elements``.
    ///   - capacity: The largest number of pictures that wait for the caller.
    ///   - drops: True to let a new picture replace a waiting one; false to let the decoder wait.
    ///   - hasFullRange: True to take the samples as full range, whatever GStreamer states.
    ///   - alpha: The meaning of the pictures' alpha.
    init(
        _ pipeline: Pipeline, capacity: Int, drops: Bool, hasFullRange: Bool = false, alpha: MovieAlpha = .ignored
    ) {
        self.hasFullRange = hasFullRange
        self.alpha = alpha
        self.pipeline = pipeline
        outlet = Outlet("out", of: pipeline)
        pipeline.set("max-buffers", of: "out", to: "\(capacity)")
        pipeline.set("drop", of: "out", to: drops ? "true" : "false")
        unsafe pipeline.addProbe(to: "sink", of: "out", GST_PAD_PROBE_TYPE_QUERY_DOWNSTREAM) { _, info in
            unsafe Self.answerAllocation(info)
        }
        if alpha != .ignored { keepAlpha() }
    }

    /// Makes the converter keep alpha if the decoder's pictures have alpha, before the converter learns their format.
    private func keepAlpha() {
        unsafe pipeline.withElement("formats") { formats in
            // The pipeline owns both the filter and the pad, so the filter lives as long as the pad.
            nonisolated(unsafe) let filter = unsafe formats
            unsafe pipeline.addProbe(to: "sink", of: "convert", GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM) { _, info in
                if let hasAlpha = unsafe Self.hasAlpha(info) { unsafe Self.choose(alpha: hasAlpha, in: filter) }
                return GST_PAD_PROBE_OK
            }
        }
    }

    /// Makes a caps filter accept only pictures with alpha, or only pictures without.
    private static func choose(alpha: Bool, in filter: UnsafeMutablePointer<GstElement>) {
        guard let caps = unsafe gst_caps_from_string(alpha ? alphaFormats : opaqueFormats) else { return }
        unsafe pip_set_boxed(filter, "caps", caps)
        unsafe gst_caps_unref(caps)
    }

    /// Waits for the next picture, for at most `timeout`.
    func next(within timeout: Duration) -> Outcome {
        guard let sample = outlet.pull(within: timeout), let buffer = unsafe sample.buffer,
            let caps = unsafe sample.caps
        else {
            if let error = pipeline.nextFailure() { return .failed(error) }
            return outlet.isAtEnd ? .ended : .nothing
        }
        if unsafe format?.isOf(caps) != true { format = unsafe DecodedFormat(caps, hasFullRange: hasFullRange) }
        guard let format else {
            return .failed(MediaError(kind: .failed, reason: "its pictures have a format that cannot be drawn"))
        }
        if let reason = StreamSelection.mistake(width: format.size.width, height: format.size.height) {
            return .failed(MediaError(kind: .failed, reason: reason))
        }
        let isStraight = format.pixelFormat == .rgba && alpha != .premultiplied
        guard
            let (layout, memory) = unsafe isStraight
                ? format.premultipliedPlanes(of: buffer) : format.planes(of: buffer)
        else {
            return .failed(MediaError(kind: .failed, reason: "a decoded picture cannot be read"))
        }
        return .picture(
            DecodedPicture(
                format: format, layout: layout, memory: memory, time: unsafe Duration(engine: buffer.pointee.pts),
                duration: unsafe Duration(engine: buffer.pointee.duration),
                runningTime: unsafe sample.runningTime(buffer.pointee.pts),
                streamTime: unsafe sample.streamTime(buffer.pointee.pts)))
    }

    /// The orientation in the stream's tags, by which a player must turn the pictures; the identity without a tag.
    var orientation: Orientation {
        unsafe pipeline.withElement("out") { element in
            guard let pad = unsafe gst_element_get_static_pad(element, "sink") else { return .identity }
            defer { unsafe gst_object_unref(pad) }
            var index: guint = 0
            while let event = unsafe gst_pad_get_sticky_event(pad, GST_EVENT_TAG, index) {
                defer { unsafe gst_event_unref(event) }
                index += 1
                var tags: UnsafeMutablePointer<GstTagList>?
                unsafe gst_event_parse_tag(event, &tags)
                var text: UnsafeMutablePointer<gchar>?
                guard unsafe gst_tag_list_get_string(tags, "image-orientation", &text) != 0 else { continue }
                defer { unsafe g_free(text) }
                if let text = unsafe text, let found = unsafe Orientation(tag: String(cString: text)) { return found }
            }
            return .identity
        }
    }
}

extension Orientation {
    /// Parses a tag of GStreamer, such as `rotate-90`, which turns clockwise; `flip-rotate-90` mirrors the picture
    /// first.
    init?(tag: String) {
        guard let degrees = Int(tag.split(separator: "-").last ?? ""), let turn = Orientation(degrees: degrees) else {
            return nil
        }
        self.init(quarterTurns: turn.quarterTurns, mirrored: tag.hasPrefix("flip-"))
    }
}

extension PictureOutlet {
    /// True when an event sets a format with alpha, false for other video formats; nil for other events.
    private static func hasAlpha(_ info: UnsafeMutablePointer<GstPadProbeInfo>) -> Bool? {
        guard let event = unsafe gst_pad_probe_info_get_event(info), unsafe event.pointee.type == GST_EVENT_CAPS else {
            return nil
        }
        var caps: UnsafeMutablePointer<GstCaps>?
        unsafe gst_event_parse_caps(event, &caps)
        var format = unsafe GstVideoInfo()
        guard let caps = unsafe caps, unsafe gst_video_info_from_caps(&format, caps) != 0,
            let description = unsafe format.finfo
        else { return nil }
        return unsafe description.pointee.flags.rawValue & GST_VIDEO_FORMAT_FLAG_ALPHA.rawValue != 0
    }

    /// Answers an allocation query: rows may be padded, and the outlet keeps up to ``keptPictures`` pictures.
    ///
    /// Decoders can then pass their own memory to the outlet, without a copy.
    private static func answerAllocation(_ info: UnsafeMutablePointer<GstPadProbeInfo>) -> GstPadProbeReturn {
        guard let query = unsafe gst_pad_probe_info_get_query(info),
            unsafe query.pointee.type == GST_QUERY_ALLOCATION
        else { return GST_PAD_PROBE_OK }
        unsafe gst_query_add_allocation_meta(query, gst_video_meta_api_get_type(), nil)
        var caps: UnsafeMutablePointer<GstCaps>?
        unsafe gst_query_parse_allocation(query, &caps, nil)
        var format = unsafe GstVideoInfo()
        if let caps = unsafe caps, unsafe gst_video_info_from_caps(&format, caps) != 0 {
            unsafe gst_query_add_allocation_pool(query, nil, guint(format.size), keptPictures, 0)
        }
        return GST_PAD_PROBE_HANDLED
    }

    /// The largest number of pictures that wait or are shown at the same time.
    private static let keptPictures: guint = 10
}
#endif
