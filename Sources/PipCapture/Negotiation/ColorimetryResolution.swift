internal import CV4L2
internal import PipFrames

/// The colour fields of a V4L2 format, where 0 means the default.
struct DriverColorimetry: Equatable {
    var colorspace: UInt32 = 0
    var matrix: UInt32 = 0
    var range: UInt32 = 0
    var transfer: UInt32 = 0
}

/// Resolves the colour fields that the driver left at their defaults.
///
/// A driver that reports no colour space is treated as a webcam, whose default is sRGB.
///
/// Source: `linux/videodev2.h`, `V4L2_MAP_COLORSPACE_DEFAULT`, `V4L2_MAP_XFER_FUNC_DEFAULT`,
/// `V4L2_MAP_YCBCR_ENC_DEFAULT`, `V4L2_MAP_QUANTIZATION_DEFAULT`.
func resolveColorimetry(_ driver: DriverColorimetry, for format: DeviceFormat) -> Colorimetry {
    var colorspace = v4l2_colorspace(driver.colorspace)
    if colorspace == V4L2_COLORSPACE_DEFAULT { colorspace = V4L2_COLORSPACE_SRGB }
    if format == .jpeg {
        // JFIF is always BT.601 in full range, whatever the driver reports.
        return Colorimetry(
            matrix: .bt601, range: .full, primaries: primaries(of: colorspace),
            transfer: transfer(v4l2_xfer_func(driver.transfer), colorspace))
    }
    if case .convertible = format {
        // libv4lconvert computes BT.601 in limited range.
        return Colorimetry(
            matrix: .bt601, range: .limited, primaries: primaries(of: colorspace),
            transfer: transfer(v4l2_xfer_func(driver.transfer), colorspace))
    }
    let isRGB = !format.delivered.isYUV
    return Colorimetry(
        matrix: matrix(v4l2_ycbcr_encoding(driver.matrix), colorspace),
        range: range(v4l2_quantization(driver.range), colorspace, isRGB: isRGB),
        primaries: primaries(of: colorspace), transfer: transfer(v4l2_xfer_func(driver.transfer), colorspace))
}

private func primaries(of colorspace: v4l2_colorspace) -> ColorPrimaries {
    switch colorspace {
    case V4L2_COLORSPACE_SMPTE170M: .smpte170m
    case V4L2_COLORSPACE_SMPTE240M: .smpte240m
    case V4L2_COLORSPACE_470_SYSTEM_M: .smpte170m
    case V4L2_COLORSPACE_470_SYSTEM_BG: .bt470bg
    case V4L2_COLORSPACE_OPRGB: .adobeRGB
    case V4L2_COLORSPACE_BT2020: .bt2020
    case V4L2_COLORSPACE_DCI_P3: .dciP3
    default: .bt709
    }
}

private func matrix(_ encoding: v4l2_ycbcr_encoding, _ colorspace: v4l2_colorspace) -> ColorMatrixStandard {
    switch encoding {
    case V4L2_YCBCR_ENC_601, V4L2_YCBCR_ENC_XV601, V4L2_YCBCR_ENC_SYCC: return .bt601
    case V4L2_YCBCR_ENC_709, V4L2_YCBCR_ENC_XV709: return .bt709
    // A matrix cannot express constant luminance; the matrix of plain BT.2020 is the nearest.
    case V4L2_YCBCR_ENC_BT2020, V4L2_YCBCR_ENC_BT2020_CONST_LUM: return .bt2020
    case V4L2_YCBCR_ENC_SMPTE240M: return .smpte240m
    default: break
    }
    switch colorspace {
    case V4L2_COLORSPACE_REC709, V4L2_COLORSPACE_DCI_P3: return .bt709
    case V4L2_COLORSPACE_BT2020: return .bt2020
    case V4L2_COLORSPACE_SMPTE240M: return .smpte240m
    default: return .bt601
    }
}

private func range(_ range: v4l2_quantization, _ colorspace: v4l2_colorspace, isRGB: Bool) -> QuantizationRange {
    switch range {
    case V4L2_QUANTIZATION_FULL_RANGE: .full
    case V4L2_QUANTIZATION_LIM_RANGE: .limited
    default: isRGB || colorspace == V4L2_COLORSPACE_JPEG ? .full : .limited
    }
}

private func transfer(_ transfer: v4l2_xfer_func, _ colorspace: v4l2_colorspace) -> TransferFunction {
    switch transfer {
    case V4L2_XFER_FUNC_709: return .bt709
    case V4L2_XFER_FUNC_SRGB: return .srgb
    case V4L2_XFER_FUNC_OPRGB: return .adobeRGB
    case V4L2_XFER_FUNC_SMPTE240M: return .smpte240m
    case V4L2_XFER_FUNC_NONE: return .linear
    case V4L2_XFER_FUNC_DCI_P3: return .dciP3
    case V4L2_XFER_FUNC_SMPTE2084: return .smpte2084
    default: break
    }
    switch colorspace {
    case V4L2_COLORSPACE_OPRGB: return .adobeRGB
    case V4L2_COLORSPACE_SMPTE240M: return .smpte240m
    case V4L2_COLORSPACE_DCI_P3: return .dciP3
    case V4L2_COLORSPACE_RAW: return .linear
    case V4L2_COLORSPACE_SRGB, V4L2_COLORSPACE_JPEG: return .srgb
    default: return .bt709
    }
}
