internal import CV4L2
internal import PipCapture
internal import PipFrames
internal import PipSinks
internal import SystemPackage

/// Sets the format and the frame rate of a virtual camera, and reads back the format.
struct OutputFormat {
    /// The layout of the planes in the device's buffers.
    let layout: FrameLayout

    /// - Parameters:
    ///   - node: The open device.
    ///   - asked: The format and the size of the frames.
    ///   - colorimetry: The colour encoding of the frames.
    ///   - rate: The rate of the frames, which readers can query.
    /// - Throws: ``SinkError`` when the device is busy or refuses the format, keeps another format or size, or has
    ///   buffers that are too small.
    init(
        _ node: LoopbackNode, _ asked: FrameLayout, _ colorimetry: Colorimetry, _ rate: FrameRate
    ) throws(SinkError) {
        let problems = LoopbackProblems(path: node.device.path, calls: node.device.calls)
        var format = unsafe v4l2_format()
        unsafe format.type = V4L2_BUF_TYPE_VIDEO_OUTPUT.rawValue
        unsafe format.fmt.pix = Self.pixelFormat(asked, colorimetry)
        if let errno = unsafe node.device.perform(.setFormat, &format) {
            throw errno == .resourceBusy ? problems.busy : problems.failure(call: "VIDIOC_S_FMT", errno)
        }
        let took = unsafe format.fmt.pix
        let size = PixelSize(Int(took.width), Int(took.height))
        let fourCC = FourCC(rawValue: took.pixelformat)
        let known = PixelFormat.allCases.first { $0.fourCC == fourCC }.map { FrameLayout($0, size) }
        guard fourCC == asked.format.fourCC, size == asked.size else {
            throw problems.mismatch(asked: asked, took: known, fourCC, size)
        }
        layout = FrameLayout(asked.format, size, stride: took.bytesperline > 0 ? Int(took.bytesperline) : nil)
        guard layout.byteCount <= Int(took.sizeimage) else {
            throw problems.refusal(
                "a \(size) \(fourCC) frame has \(layout.byteCount) bytes, but the device's buffers have"
                    + " \(took.sizeimage)",
                kind: .failed)
        }
        setRate(rate, of: node)
    }

    /// Sets the frame rate that readers can query.
    ///
    /// A refusal is ignored, because the device works without the rate.
    private func setRate(_ rate: FrameRate, of node: LoopbackNode) {
        var parameters = v4l2_streamparm()
        parameters.type = V4L2_BUF_TYPE_VIDEO_OUTPUT.rawValue
        unsafe parameters.parm.output.timeperframe = v4l2_fract(
            numerator: UInt32(clamping: rate.seconds), denominator: UInt32(clamping: rate.frames))
        _ = node.device.perform(.setParameters, &parameters)
    }

    private static func pixelFormat(_ layout: FrameLayout, _ colorimetry: Colorimetry) -> v4l2_pix_format {
        var pix = v4l2_pix_format()
        pix.width = UInt32(clamping: layout.size.width)
        pix.height = UInt32(clamping: layout.size.height)
        pix.pixelformat = layout.format.fourCC.rawValue
        pix.field = V4L2_FIELD_NONE.rawValue
        pix.bytesperline = UInt32(clamping: layout.planes[0].strideInBytes)
        pix.sizeimage = UInt32(clamping: layout.byteCount)
        // Without the magic number, the kernel clears the encoding, the quantization and the transfer function.
        pix.priv = UInt32(V4L2_PIX_FMT_PRIV_MAGIC)
        pix.colorspace = colorimetry.colorspace.rawValue
        pix.ycbcr_enc = colorimetry.encoding.rawValue
        pix.quantization = colorimetry.quantization.rawValue
        pix.xfer_func = colorimetry.transferFunction.rawValue
        return pix
    }
}

/// The V4L2 constants for a colour encoding.
///
/// Source: Linux userspace API, "Detailed Colorspace Descriptions".
extension Colorimetry {
    fileprivate var colorspace: v4l2_colorspace {
        switch primaries {
        case .bt709: transfer == .srgb ? V4L2_COLORSPACE_SRGB : V4L2_COLORSPACE_REC709
        case .smpte170m: V4L2_COLORSPACE_SMPTE170M
        case .bt470bg: V4L2_COLORSPACE_470_SYSTEM_BG
        case .smpte240m: V4L2_COLORSPACE_SMPTE240M
        case .bt2020: V4L2_COLORSPACE_BT2020
        case .dciP3: V4L2_COLORSPACE_DCI_P3
        case .adobeRGB: V4L2_COLORSPACE_OPRGB
        }
    }

    fileprivate var encoding: v4l2_ycbcr_encoding {
        switch matrix {
        case .bt601: V4L2_YCBCR_ENC_601
        case .bt709: V4L2_YCBCR_ENC_709
        case .bt2020: V4L2_YCBCR_ENC_BT2020
        case .smpte240m: V4L2_YCBCR_ENC_SMPTE240M
        }
    }

    fileprivate var quantization: v4l2_quantization {
        range == .full ? V4L2_QUANTIZATION_FULL_RANGE : V4L2_QUANTIZATION_LIM_RANGE
    }

    fileprivate var transferFunction: v4l2_xfer_func {
        switch transfer {
        case .bt709: V4L2_XFER_FUNC_709
        case .srgb: V4L2_XFER_FUNC_SRGB
        case .adobeRGB: V4L2_XFER_FUNC_OPRGB
        case .smpte240m: V4L2_XFER_FUNC_SMPTE240M
        case .linear: V4L2_XFER_FUNC_NONE
        case .dciP3: V4L2_XFER_FUNC_DCI_P3
        case .smpte2084: V4L2_XFER_FUNC_SMPTE2084
        // V4L2 has no constant for HLG.
        case .hlg: V4L2_XFER_FUNC_DEFAULT
        }
    }
}
