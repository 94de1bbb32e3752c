#if Media
internal import CGStreamer
internal import CYUV
internal import PipFrames

/// The format of decoded pictures, read from GStreamer caps.
@safe final class DecodedFormat: @unchecked Sendable {
    // Nothing changes `caps` and `info` after `init`.

    let pixelFormat: PixelFormat
    let size: PixelSize
    let colorimetry: Colorimetry
    /// The frame rate that the caps state; nil when they state none, or an implausible one.
    let rate: FrameRate?
    private let caps: UnsafeMutablePointer<GstCaps>
    private let info: GstVideoInfo

    /// Reads the format from caps; nil for a format that cannot be drawn.
    ///
    /// - Parameters:
    ///   - caps: The caps of the decoded pictures.
    ///   - hasFullRange: True to take the samples as full range, whatever the caps state.
    init?(_ caps: UnsafeMutablePointer<GstCaps>, hasFullRange: Bool) {
        var info = unsafe GstVideoInfo()
        guard unsafe gst_video_info_from_caps(&info, caps) != 0, let description = unsafe info.finfo else { return nil }
        switch unsafe description.pointee.format {
        case GST_VIDEO_FORMAT_I420: pixelFormat = .i420
        case GST_VIDEO_FORMAT_NV12: pixelFormat = .nv12
        case GST_VIDEO_FORMAT_RGBA: pixelFormat = .rgba
        default: return nil
        }
        size = unsafe PixelSize(Int(info.width), Int(info.height))
        let (frames, seconds) = unsafe (Int(info.fps_n), Int(info.fps_d))
        rate = DecodedFormat.isPlausible(frames, seconds) ? FrameRate(frames, per: seconds) : nil
        let structure = unsafe gst_caps_get_structure(caps, 0)
        let hasSiting = unsafe gst_structure_has_field(structure, "chroma-site") != 0
        let hasColors = unsafe gst_structure_has_field(structure, "colorimetry") != 0
        let siting = unsafe hasSiting ? info.chroma_site : GST_VIDEO_CHROMA_SITE_UNKNOWN
        let colors = unsafe info.colorimetry
        var colorimetry =
            hasColors
            ? Colorimetry(colors, siting, size) : Colorimetry(GstVideoColorimetry(), siting, size)
        if hasFullRange { colorimetry.range = .full }
        if pixelFormat == .rgba { (colorimetry.matrix, colorimetry.range) = (Colorimetry.srgb.matrix, .full) }
        self.colorimetry = colorimetry
        unsafe self.info = unsafe info
        unsafe self.caps = unsafe gst_caps_ref(caps)
    }

    deinit { unsafe gst_caps_unref(caps) }

    /// True when pictures with the caps `other` have this format.
    func isOf(_ other: UnsafeMutablePointer<GstCaps>) -> Bool {
        unsafe caps == other || gst_caps_is_equal(caps, other) != 0
    }

    /// Maps the memory of a decoded picture as planes, without a copy; nil when it cannot be mapped.
    func planes(of buffer: UnsafeMutablePointer<GstBuffer>) -> (layout: FrameLayout, memory: FrameBuffer)? {
        let frame = UnsafeMutablePointer<GstVideoFrame>.allocate(capacity: 1)
        var info = unsafe info
        guard unsafe gst_video_frame_map(frame, &info, buffer, GST_MAP_READ) != 0 else {
            unsafe frame.deallocate()
            return nil
        }
        let mapping = unsafe MappedPicture(frame)
        let data = unsafe [frame.pointee.data.0, frame.pointee.data.1, frame.pointee.data.2]
        let strides = unsafe [
            frame.pointee.info.stride.0, frame.pointee.info.stride.1, frame.pointee.info.stride.2,
        ]
        var layout = FrameLayout(pixelFormat, size)
        var memory: [UnsafeMutableRawBufferPointer] = unsafe []
        for index in 0..<pixelFormat.planeCount {
            layout.planes[index].offset = 0
            layout.planes[index].strideInBytes = Int(strides[index])
            let plane = layout.planes[index]
            guard let start = unsafe data[index], plane.strideInBytes >= plane.rowBytes else { return nil }
            unsafe memory.append(UnsafeMutableRawBufferPointer(start: start, count: plane.byteCount))
        }
        return unsafe (layout, FrameBuffer(planes: memory, backing: mapping))
    }

    /// Copies a decoded picture and multiplies its colours by alpha; nil when the picture cannot be mapped.
    func premultipliedPlanes(of buffer: UnsafeMutablePointer<GstBuffer>) -> (layout: FrameLayout, memory: FrameBuffer)?
    {
        guard let (straight, pixels) = unsafe planes(of: buffer) else { return nil }
        let layout = FrameLayout(.rgba, size)
        let memory = FrameBuffer(layout)
        // `ARGBAttenuate` needs only alpha in the fourth byte: the order of the colours does not matter.
        unsafe ARGBAttenuate(
            pixels.mutableBytes(ofPlane: 0).baseAddress, Int32(straight.planes[0].strideInBytes),
            memory.mutableBytes(ofPlane: 0).baseAddress, Int32(layout.planes[0].strideInBytes), Int32(size.width),
            Int32(size.height))
        return (layout, memory)
    }

    private static func isPlausible(_ frames: Int, _ seconds: Int) -> Bool {
        frames > 0 && seconds > 0 && (0.1...300).contains(Double(frames) / Double(seconds))
    }
}

/// Keeps a decoder's buffer mapped while its frame lives.
@safe private final class MappedPicture {
    private let frame: UnsafeMutablePointer<GstVideoFrame>

    init(_ frame: UnsafeMutablePointer<GstVideoFrame>) { unsafe self.frame = unsafe frame }

    deinit {
        unsafe gst_video_frame_unmap(frame)
        unsafe frame.deallocate()
    }
}

extension Colorimetry {
    /// Creates the colorimetry that GStreamer states, with defaults for values that it does not state.
    fileprivate init(_ colors: GstVideoColorimetry, _ siting: GstVideoChromaSite, _ size: PixelSize) {
        self = size.height > 576 ? .bt709 : .bt601
        switch colors.matrix {
        case GST_VIDEO_COLOR_MATRIX_BT601, GST_VIDEO_COLOR_MATRIX_FCC: matrix = .bt601
        case GST_VIDEO_COLOR_MATRIX_BT709: matrix = .bt709
        case GST_VIDEO_COLOR_MATRIX_BT2020: matrix = .bt2020
        case GST_VIDEO_COLOR_MATRIX_SMPTE240M: matrix = .smpte240m
        default: break
        }
        range = colors.range == GST_VIDEO_COLOR_RANGE_0_255 ? .full : .limited
        switch colors.transfer {
        case GST_VIDEO_TRANSFER_SRGB: transfer = .srgb
        case GST_VIDEO_TRANSFER_ADOBERGB: transfer = .adobeRGB
        case GST_VIDEO_TRANSFER_SMPTE240M: transfer = .smpte240m
        case GST_VIDEO_TRANSFER_GAMMA10: transfer = .linear
        case GST_VIDEO_TRANSFER_SMPTE2084: transfer = .smpte2084
        case GST_VIDEO_TRANSFER_ARIB_STD_B67: transfer = .hlg
        default: transfer = .bt709
        }
        switch colors.primaries {
        case GST_VIDEO_COLOR_PRIMARIES_BT709: primaries = .bt709
        case GST_VIDEO_COLOR_PRIMARIES_SMPTE170M: primaries = .smpte170m
        case GST_VIDEO_COLOR_PRIMARIES_BT470BG: primaries = .bt470bg
        case GST_VIDEO_COLOR_PRIMARIES_SMPTE240M: primaries = .smpte240m
        case GST_VIDEO_COLOR_PRIMARIES_BT2020: primaries = .bt2020
        case GST_VIDEO_COLOR_PRIMARIES_SMPTERP431, GST_VIDEO_COLOR_PRIMARIES_SMPTEEG432: primaries = .dciP3
        case GST_VIDEO_COLOR_PRIMARIES_ADOBERGB: primaries = .adobeRGB
        default: break
        }
        let (horizontal, vertical) = (
            siting.rawValue & GST_VIDEO_CHROMA_SITE_H_COSITED.rawValue != 0,
            siting.rawValue & GST_VIDEO_CHROMA_SITE_V_COSITED.rawValue != 0
        )
        if siting == GST_VIDEO_CHROMA_SITE_UNKNOWN {
            // Without a stated siting: JPEG's siting for full-range BT.601, and MPEG-2's siting for all others.
            chromaSiting = range == .full && matrix == .bt601 ? .center : .left
        } else {
            chromaSiting = horizontal ? (vertical ? .topLeft : .left) : .center
        }
    }
}
#endif
