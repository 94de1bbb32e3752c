import CV4L2
import PipFrames
import PipTestSupport
import Testing

@testable import PipCapture

@Suite("The colour of a camera's frames")
struct ColorimetryTests {
    private static let yuv = DeviceFormat.native(.yuyv, memoryPlanes: 1)
    private static let rgb = DeviceFormat.native(.rgb24, memoryPlanes: 1)

    // The results of the kernel's macros `V4L2_MAP_*_DEFAULT` for every colour space.
    @Test(
        "colorimetry is the kernel's default where the driver leaves it open",
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
        "colorimetry is what the driver reports",
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

    @Test("RGB can have the limited range")
    func limitedRGB() {
        let driver = DriverColorimetry(range: V4L2_QUANTIZATION_LIM_RANGE.rawValue)
        #expect(resolveColorimetry(driver, for: Self.rgb).range == .limited)
    }

    @Test("the colorimetry of JPEG is JFIF's, whatever the driver reports")
    func jpeg() {
        let driver = DriverColorimetry(
            colorspace: V4L2_COLORSPACE_SRGB.rawValue, matrix: V4L2_YCBCR_ENC_709.rawValue,
            range: V4L2_QUANTIZATION_LIM_RANGE.rawValue)
        #expect(resolveColorimetry(driver, for: .jpeg) == .jpeg)
    }

    @Test("colorimetry comes from the format that was set", arguments: [false, true])
    func negotiated(isMultiPlanar: Bool) throws {
        var fake = isMultiPlanar ? FakeCamera.multiPlanar([.init("NV12", 640, 480)]) : FakeCamera()
        fake.colorspace = V4L2_COLORSPACE_REC709.rawValue
        fake.quantization = V4L2_QUANTIZATION_FULL_RANGE.rawValue
        fake.encoding = V4L2_YCBCR_ENC_BT2020.rawValue
        let color = try Rig(fake).camera.format.colorimetry
        #expect(color.matrix == .bt2020 && color.range == .full && color.primaries == .bt709)
    }

    @Test(
        "C10: a driver that converts colours delivers the requested colorimetry",
        arguments: [
            (CameraColorSpace.bt601, ColorPrimaries.smpte170m, TransferFunction.bt709), (.bt709, .bt709, .bt709),
            (.srgb, .bt709, .srgb), (.p3, .dciP3, .dciP3), (.bt2020, .bt2020, .bt709), (.pq, .bt2020, .smpte2084),
        ], [false, true])
    func converted(
        asked: (space: CameraColorSpace, primaries: ColorPrimaries, transfer: TransferFunction), isMultiPlanar: Bool
    ) throws {
        var camera = FakeCamera(formats: [FakeCamera.Format("NV12", 64, 48)])
        camera.convertsColors = true
        if isMultiPlanar { camera.capabilities = UInt32(V4L2_CAP_VIDEO_CAPTURE_MPLANE | V4L2_CAP_STREAMING) }
        let color = try Rig(camera, wish: CameraWish(colorSpace: asked.space)).camera.format.colorimetry
        #expect(color.primaries == asked.primaries && color.transfer == asked.transfer)
        // The default is the driver's own colour space.
        #expect(try Rig(camera).camera.format.colorimetry.transfer == .srgb)
    }

    @Test(
        "C10: colour space and rate are merged, and a camera with its present settings must have the colour space")
    func joined() throws {
        let before = CameraSetup(.path(Rig.path), wish: CameraWish(), isEnabled: true)
        let own = CameraSetup(.path(Rig.path), wish: CameraWish(colorSpace: .p3), isEnabled: true)
        let other = CameraSetup(.path(Rig.path), wish: CameraWish(rateLimit: FrameRate(10)), isEnabled: true)
        let both = before.merging(own, other).wish
        #expect(both.colorSpace == .p3 && both.rateLimit == FrameRate(10))
        var camera = FakeCamera(formats: [FakeCamera.Format("NV12", 64, 48)])
        camera.colorspace = V4L2_COLORSPACE_REC709.rawValue
        let kept = CameraWish(preset: .inputPriority, colorSpace: .bt709)
        #expect(try Rig(camera, wish: kept).camera.format.colorimetry.primaries == .bt709)
        #expect(throws: CaptureError.self) {
            try Rig(camera, wish: CameraWish(preset: .inputPriority, colorSpace: .p3))
        }
    }

    @Test("C10: a driver that does not convert colours is not asked, and the error names the driver's colorimetry")
    func unconverted() async throws {
        let kernel = FakeKernel()
        let error = #expect(throws: CaptureError.self) {
            try Rig(wish: CameraWish(colorSpace: .bt2020), kernel: kernel)
        }
        #expect(error?.kind == .unsupported)
        #expect(
            error?.description.hasPrefix(
                "/dev/video0: cannot take its pictures in the colour space bt2020: its driver converts no colours in")
                == true, "\(error.map { "\($0)" } ?? "")")
        #expect(!kernel.takeTrace(of: Rig.path).contains("VIDIOC_S_FMT"))
        // A running camera that refuses the colour space stays as it is.
        let rig = try SlotRig()
        try rig.start()
        await #expect(throws: CaptureError.self) { try await rig.slot.change(to: CameraWish(colorSpace: .p3)) }
        rig.produce()
        #expect(rig.slot.state == .streaming && rig.slot.wish.colorSpace == nil)
    }
}
