#if Media
internal import CGStreamer
internal import PipFrames

/// Wraps a frame's memory in a GStreamer buffer, without a copy.
///
/// The frame lives until GStreamer releases the buffer.
///
/// - Parameters:
///   - frame: A frame of any format.
///   - size: The size of the frame's visible part, from the upper left corner.
/// - Returns: The buffer, which the caller must release. Nil for a frame without memory.
func mediaBuffer(_ frame: Frame, size: PixelSize) -> UnsafeMutablePointer<GstBuffer>? {
    guard let buffer = unsafe gst_buffer_new() else { return nil }
    var offsets: InlineArray<4, gsize> = [0, 0, 0, 0]
    var strides: InlineArray<4, gint> = [0, 0, 0, 0]
    var total = 0
    for (index, plane) in frame.layout.planes.enumerated() {
        guard let start = unsafe frame.unsafePlane(index) else {
            unsafe gst_buffer_unref(buffer)
            return nil
        }
        let box = unsafe Unmanaged.passRetained(FrameBox(frame)).toOpaque()
        let memory = unsafe gst_memory_new_wrapped(
            GST_MEMORY_FLAG_READONLY, UnsafeMutableRawPointer(mutating: start), gsize(plane.byteCount), 0,
            gsize(plane.byteCount), box, releaseFrame)
        unsafe gst_buffer_append_memory(buffer, memory)
        offsets[index] = gsize(total)
        strides[index] = gint(plane.strideInBytes)
        total += plane.byteCount
    }
    var offsetSpan = offsets.mutableSpan
    var strideSpan = strides.mutableSpan
    unsafe offsetSpan.withUnsafeMutableBufferPointer { offsets in
        unsafe strideSpan.withUnsafeMutableBufferPointer { strides in
            _ = unsafe gst_buffer_add_video_meta_full(
                buffer, GST_VIDEO_FRAME_FLAG_NONE, frame.layout.format.mediaFormat, guint(size.width),
                guint(size.height), guint(frame.layout.planes.count), offsets.baseAddress, strides.baseAddress)
        }
    }
    return unsafe buffer
}

/// Keeps a frame alive while GStreamer reads it.
private final class FrameBox {
    let frame: Frame
    init(_ frame: Frame) { self.frame = frame }
}

// A global function, because GStreamer's threads call it, and it may belong to no actor.
private func releaseFrame(_ box: gpointer?) {
    guard let box = unsafe box else { return }
    unsafe Unmanaged<FrameBox>.fromOpaque(box).release()
}

extension PixelFormat {
    /// GStreamer's constant for the format.
    fileprivate var mediaFormat: GstVideoFormat {
        switch self {
        case .i420: GST_VIDEO_FORMAT_I420
        case .yv12: GST_VIDEO_FORMAT_YV12
        case .nv12: GST_VIDEO_FORMAT_NV12
        case .nv21: GST_VIDEO_FORMAT_NV21
        case .nv16: GST_VIDEO_FORMAT_NV16
        case .yuyv: GST_VIDEO_FORMAT_YUY2
        case .uyvy: GST_VIDEO_FORMAT_UYVY
        case .yvyu: GST_VIDEO_FORMAT_YVYU
        case .vyuy: GST_VIDEO_FORMAT_VYUY
        case .gray: GST_VIDEO_FORMAT_GRAY8
        case .rgb24: GST_VIDEO_FORMAT_RGB
        case .bgr24: GST_VIDEO_FORMAT_BGR
        case .rgba: GST_VIDEO_FORMAT_RGBA
        case .bgra: GST_VIDEO_FORMAT_BGRA
        case .argb: GST_VIDEO_FORMAT_ARGB
        case .abgr: GST_VIDEO_FORMAT_ABGR
        case .rgbx: GST_VIDEO_FORMAT_RGBx
        case .bgrx: GST_VIDEO_FORMAT_BGRx
        case .xrgb: GST_VIDEO_FORMAT_xRGB
        case .xbgr: GST_VIDEO_FORMAT_xBGR
        }
    }

    /// The format's name in GStreamer caps.
    var mediaName: String {
        switch self {
        case .yuyv: "YUY2"
        case .gray: "GRAY8"
        case .rgb24: "RGB"
        case .bgr24: "BGR"
        case .rgbx: "RGBx"
        case .bgrx: "BGRx"
        case .xrgb: "xRGB"
        case .xbgr: "xBGR"
        default: rawValue.uppercased()
        }
    }
}

extension PacketFormat {
    /// Creates the format of raw frames.
    ///
    /// - Parameters:
    ///   - info: The frames' layout and colours.
    ///   - size: The size of the frames' visible part, from the upper left corner.
    ///   - rate: The frames a second.
    convenience init(raw info: FrameInfo, size: PixelSize, rate: FrameRate) {
        let text = """
            video/x-raw,format=\(info.layout.format.mediaName),width=\(size.width),height=\(size.height),\
            framerate=\(rate.frames)/\(rate.seconds),pixel-aspect-ratio=1/1,interlace-mode=progressive,\
            colorimetry=\(info.colorimetry.mediaName(of: info.layout.format))
            """
        let siting = ",chroma-site=\(info.colorimetry.chromaSiting.mediaName)"
        let hasChroma = info.layout.format.chromaSubsampling.x > 1
        self.init(parsing: text + (hasChroma ? siting : ""))
    }

    /// Creates a format from caps as text.
    ///
    /// - Parameter text: Valid caps in GStreamer's notation. Invalid text ends the process.
    convenience init(parsing text: String) {
        guard let caps = unsafe gst_caps_from_string(text) else { preconditionFailure("no caps: \(text)") }
        defer { unsafe gst_caps_unref(caps) }
        unsafe self.init(caps)
    }
}

extension Colorimetry {
    /// The range, matrix, transfer and primaries as GStreamer's numbers: `2:3:5:1`.
    ///
    /// - Parameter format: The format of the samples. RGB has no matrix.
    /// - Returns: The value of the caps field `colorimetry`.
    func mediaName(of format: PixelFormat) -> String {
        let range =
            switch range {
            case .full: GST_VIDEO_COLOR_RANGE_0_255.rawValue
            case .limited: GST_VIDEO_COLOR_RANGE_16_235.rawValue
            }
        let matrix =
            if format.family == .rgb {
                GST_VIDEO_COLOR_MATRIX_RGB.rawValue
            } else {
                switch matrix {
                case .bt601: GST_VIDEO_COLOR_MATRIX_BT601.rawValue
                case .bt709: GST_VIDEO_COLOR_MATRIX_BT709.rawValue
                case .bt2020: GST_VIDEO_COLOR_MATRIX_BT2020.rawValue
                case .smpte240m: GST_VIDEO_COLOR_MATRIX_SMPTE240M.rawValue
                }
            }
        let transfer =
            switch transfer {
            case .bt709: GST_VIDEO_TRANSFER_BT709.rawValue
            case .srgb: GST_VIDEO_TRANSFER_SRGB.rawValue
            case .adobeRGB: GST_VIDEO_TRANSFER_ADOBERGB.rawValue
            case .smpte240m: GST_VIDEO_TRANSFER_SMPTE240M.rawValue
            case .linear: GST_VIDEO_TRANSFER_GAMMA10.rawValue
            case .smpte2084: GST_VIDEO_TRANSFER_SMPTE2084.rawValue
            case .hlg: GST_VIDEO_TRANSFER_ARIB_STD_B67.rawValue
            // GStreamer has no number for the transfer function of digital cinema.
            case .dciP3: GST_VIDEO_TRANSFER_UNKNOWN.rawValue
            }
        let primaries =
            switch primaries {
            case .bt709: GST_VIDEO_COLOR_PRIMARIES_BT709.rawValue
            case .smpte170m: GST_VIDEO_COLOR_PRIMARIES_SMPTE170M.rawValue
            case .bt470bg: GST_VIDEO_COLOR_PRIMARIES_BT470BG.rawValue
            case .smpte240m: GST_VIDEO_COLOR_PRIMARIES_SMPTE240M.rawValue
            case .bt2020: GST_VIDEO_COLOR_PRIMARIES_BT2020.rawValue
            case .dciP3: GST_VIDEO_COLOR_PRIMARIES_SMPTERP431.rawValue
            case .adobeRGB: GST_VIDEO_COLOR_PRIMARIES_ADOBERGB.rawValue
            }
        return "\(range):\(matrix):\(transfer):\(primaries)"
    }
}

extension ChromaSiting {
    fileprivate var mediaName: String {
        switch self {
        case .center: "jpeg"
        case .left: "mpeg2"
        case .topLeft: "cosited"
        }
    }
}
#endif
