internal import CV4L2
internal import PipFrames

/// A colour space to request from a camera's driver.
///
/// Request a colour space from drivers of converters and image processors that set `V4L2_FMT_FLAG_CSC_COLORSPACE`. By
/// default a camera delivers its native colours, and the session converts them.
///
/// Source: Linux userspace API, "Defining Colorspaces in V4L2", "Colorspace conversion".
public enum CameraColorSpace: String, CaseIterable, Hashable, Sendable {
    /// Standard-definition video.
    case bt601
    /// High-definition video.
    case bt709
    case srgb
    /// DCI-P3, the wide gamut of displays and cinemas.
    case p3
    /// The wide gamut of ultra-high-definition video.
    case bt2020
    /// The gamut of ``bt2020`` with the high-dynamic-range transfer function of SMPTE ST 2084.
    case pq = "bt2020-pq"

    /// V4L2's constants for the colour space and its transfer function.
    ///
    /// A transfer function of 0 means the default of the colour space.
    var driver: (colorspace: UInt32, transfer: UInt32) {
        switch self {
        case .bt601: (V4L2_COLORSPACE_SMPTE170M.rawValue, 0)
        case .bt709: (V4L2_COLORSPACE_REC709.rawValue, 0)
        case .srgb: (V4L2_COLORSPACE_SRGB.rawValue, 0)
        case .p3: (V4L2_COLORSPACE_DCI_P3.rawValue, 0)
        case .bt2020: (V4L2_COLORSPACE_BT2020.rawValue, 0)
        case .pq: (V4L2_COLORSPACE_BT2020.rawValue, V4L2_XFER_FUNC_SMPTE2084.rawValue)
        }
    }
}

/// Requests a colour space from a driver, as a part of setting the format.
struct ColorRequest {
    let space: CameraColorSpace
    private let device: V4L2Device

    /// - Parameters:
    ///   - space: The colour space.
    ///   - format: The format to be set.
    ///   - device: The camera's open device.
    ///   - type: The device's buffer type.
    /// - Throws: ``CaptureError``, kind `unsupported`, for a driver that cannot convert colours in this format.
    init(
        _ space: CameraColorSpace, of format: FourCC, _ device: V4L2Device, _ type: v4l2_buf_type
    ) throws(CaptureError) {
        (self.space, self.device) = (space, device)
        let flags = ModeEnumeration(device: device, bufferType: type).flags(of: format)
        let needed = UInt32(V4L2_FMT_FLAG_CSC_COLORSPACE) | (space.driver.transfer == 0 ? 0 : Self.transferFlag)
        guard flags & needed == needed else {
            throw Self.refusal(space, device, "its driver converts no colours in \(format)")
        }
    }

    private static let transferFlag = UInt32(V4L2_FMT_FLAG_CSC_XFER_FUNC)

    func apply(to pix: inout v4l2_pix_format) {
        pix.priv = UInt32(V4L2_PIX_FMT_PRIV_MAGIC)
        pix.flags = UInt32(V4L2_PIX_FMT_FLAG_SET_CSC)
        (pix.colorspace, pix.xfer_func) = space.driver
    }

    func apply(to pix: inout v4l2_pix_format_mplane) {
        pix.flags = UInt8(V4L2_PIX_FMT_FLAG_SET_CSC)
        pix.colorspace = space.driver.colorspace
        pix.xfer_func = UInt8(truncatingIfNeeded: space.driver.transfer)
    }

    /// Checks that the driver has accepted the requested colour space.
    ///
    /// - Throws: ``CaptureError``, kind `unsupported`, when the driver delivers another colour space.
    func check(_ answer: DriverColorimetry) throws(CaptureError) { try Self.check(space, answer, device) }

    /// Checks that a driver's answer has the colour space `space`.
    ///
    /// - Throws: ``CaptureError``, kind `unsupported`, when the driver delivers another colour space.
    static func check(
        _ space: CameraColorSpace, _ answer: DriverColorimetry, _ device: V4L2Device
    ) throws(CaptureError) {
        let (colorspace, transfer) = space.driver
        guard answer.colorspace == colorspace, transfer == 0 || answer.transfer == transfer else {
            throw refusal(space, device, "its driver keeps another colour space")
        }
    }

    private static func refusal(_ space: CameraColorSpace, _ device: V4L2Device, _ reason: String) -> CaptureError {
        CaptureError(
            .unsupported, device: device.path, operation: "take its pictures in the colour space \(space.rawValue)",
            reason: reason, hint: "leave the colour space out: the camera's own colours are shown correctly")
    }
}
