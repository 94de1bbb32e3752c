import CV4L2
import PipFrames
import PipTestSupport
import Testing

@testable import PipCapture

@Suite("The colour of a camera's frames")
struct ColorimetryTests {
    private static let yuv = DeviceFormat.native(.yuyv, memoryPlanes: 1)
    private static let rgb = DeviceFormat.native(.rgb24, memoryPlanes: 1)

    // The kernel's own macros, written out by hand for every colour space.
    @Test(
        "is the kernel's default where the driver leaves it open",
        arguments: [
            (V4L2_COLORSPACE_DEFAULT, ColorMatrixStandard.bt601, ColorPrimaries.bt709, TransferFunction.srgb),
            (V4L2_COLORSPACE_SMPTE170M, .bt601, .smpte170m, .bt709),
            (V4L2_COLORSPACE_SMPTE240M, .smpte240m, .smpte240m, .smpte240m),
            (V4L2_COLORSPACE_REC709, .bt709, .bt709, .bt709),
            (V4L2_COLORSPACE_470_SYSTEM_M, .bt601, .smpte170m, .bt709),
            (V4L2_COLORSPACE_470_SYSTEM_BG, .bt601, .bt470bg, .bt709), (V4L2_COLORSPACE_JPEG, .bt601, .bt709, .srgb),
            (V4L2_COLORSPACE_SRGB, .bt601, .bt709, .srgb), (V4L2_COLORSPACE_OPRGB, .bt601, .adobeRGB, .adobeRGB),
            (V4L2_COLORSPACE_BT2020, .bt2020, .bt2020, .bt709), (V4L2_COLORSPACE_RAW, .bt601, .bt709, .linear),
            (V4L2_COLORSPACE_DCI_P3, .bt709, .dciP3, .dciP3),
        ])
    func defaults(
        colorspace: v4l2_colorspace, matrix: ColorMatrixStandard, primaries: ColorPrimaries, transfer: TransferFunction
    ) {
        let color = resolveColorimetry(DriverColorimetry(colorspace: colorspace.rawValue), for: Self.yuv)
        #expect(color.matrix == matrix && color.primaries == primaries && color.transfer == transfer)
        #expect(color.range == (colorspace == V4L2_COLORSPACE_JPEG ? .full : .limited))
        #expect(resolveColorimetry(DriverColorimetry(colorspace: colorspace.rawValue), for: Self.rgb).range == .full)
    }

    @Test(
        "is what the driver says where it says it",
        arguments: [
            (V4L2_YCBCR_ENC_601, ColorMatrixStandard.bt601), (V4L2_YCBCR_ENC_709, .bt709),
            (V4L2_YCBCR_ENC_XV601, .bt601),
            (V4L2_YCBCR_ENC_XV709, .bt709), (V4L2_YCBCR_ENC_BT2020, .bt2020), (V4L2_YCBCR_ENC_SMPTE240M, .smpte240m),
        ])
    func explicitMatrix(encoding: v4l2_ycbcr_encoding, matrix: ColorMatrixStandard) {
        let driver = DriverColorimetry(
            colorspace: V4L2_COLORSPACE_OPRGB.rawValue, matrix: encoding.rawValue,
            range: V4L2_QUANTIZATION_FULL_RANGE.rawValue, transfer: V4L2_XFER_FUNC_709.rawValue)
        let color = resolveColorimetry(driver, for: Self.yuv)
        #expect(color.matrix == matrix && color.range == .full && color.transfer == .bt709)
    }

    @Test("of RGB can be limited")
    func limitedRGB() {
        let driver = DriverColorimetry(range: V4L2_QUANTIZATION_LIM_RANGE.rawValue)
        #expect(resolveColorimetry(driver, for: Self.rgb).range == .limited)
    }

    @Test("of JPEG is JFIF's, whatever the driver says")
    func jpeg() {
        let driver = DriverColorimetry(
            colorspace: V4L2_COLORSPACE_SRGB.rawValue, matrix: V4L2_YCBCR_ENC_709.rawValue,
            range: V4L2_QUANTIZATION_LIM_RANGE.rawValue)
        #expect(resolveColorimetry(driver, for: .jpeg) == .jpeg)
    }

    @Test("comes from the format that was set", arguments: [false, true])
    func negotiated(isMultiPlanar: Bool) throws {
        var fake = isMultiPlanar ? FakeCamera.multiPlanar([.init("NV12", 640, 480)]) : FakeCamera()
        fake.colorspace = V4L2_COLORSPACE_REC709.rawValue
        fake.quantization = V4L2_QUANTIZATION_FULL_RANGE.rawValue
        fake.encoding = V4L2_YCBCR_ENC_BT2020.rawValue
        let color = try Rig(fake).camera.format.colorimetry
        #expect(color.matrix == .bt2020 && color.range == .full && color.primaries == .bt709)
    }
}
