import CV4L2
import PipFrames
import PipTestSupport
import Testing

@testable import PipCapture

@Suite("Presets of cameras")
struct PresetTests {
    private static let vga = PixelSize(640, 480)
    private static let uhd = PixelSize(3840, 2160)

    /// Six typical cameras.
    private static let cameras: [String: FakeCamera] = [
        // The camera offers raw modes only where the bus permits.
        "webcam": camera([
            ("YUYV", [vga: [30], .hd720: [10], .hd1080: [5]]), ("MJPG", [vga: [30], .hd720: [30], .hd1080: [30]]),
        ]),
        // The camera offers its largest size only at a low rate.
        "microscope": camera([("MJPG", [PixelSize(2592, 1944): [15], PixelSize(1600, 1200): [24], vga: [30]])]),
        "uhd": camera([("NV12", [uhd: [30], .hd1080: [60], PixelSize(960, 540): [60]])]),
        "old": camera([("YUYV", [PixelSize(352, 288): [15], PixelSize(176, 144): [15]])]),
        "unreadable": camera([("ABCD", [vga: [30]])]),
        "ranges": {
            var camera = FakeCamera(formats: [
                FakeCamera.Format(
                    "NV12",
                    sizes: .stepwise(minimum: PixelSize(32, 32), maximum: .hd1080, step: PixelSize(2, 2)),
                    rates: .continuous(slowest: FrameRate(1), fastest: FrameRate(60)))
            ])
            camera.sizeStep = PixelSize(2, 2)
            return camera
        }(),
    ]

    private static func camera(_ formats: [(String, [PixelSize: [Int]])]) -> FakeCamera {
        FakeCamera(
            formats: formats.map { name, sizes in
                var format = FakeCamera.Format(name, sizes: .discrete(sizes.keys.sorted { $0.area < $1.area }))
                format.ratesBySize = sizes.mapValues { rates in rates.map { FrameRate($0) } }
                return format
            })
    }

    /// The mode that each preset selects; nil for a refusal.
    private static let table: [(camera: String, preset: CameraPreset, mode: String?)] = [
        ("webcam", .high, "MJPG 1920x1080 at 30 fps"), ("webcam", .medium, "YUYV 640x480 at 30 fps"),
        ("webcam", .low, "YUYV 640x480 at 30 fps"), ("webcam", .vga, "YUYV 640x480 at 30 fps"),
        ("webcam", .hd720, "MJPG 1280x720 at 30 fps"), ("webcam", .hd1080, "MJPG 1920x1080 at 30 fps"),
        ("webcam", .uhd, nil), ("webcam", .qhd, nil),
        ("microscope", .high, "MJPG 1600x1200 at 24 fps"), ("microscope", .vga, "MJPG 640x480 at 30 fps"),
        ("microscope", .hd720, nil),
        ("uhd", .high, "NV12 3840x2160 at 30 fps"), ("uhd", .uhd, "NV12 3840x2160 at 30 fps"),
        ("uhd", .qhd, "NV12 960x540 at 60 fps"), ("uhd", .vga, nil),
        ("old", .high, "YUYV 352x288 at 15 fps"), ("old", .medium, "YUYV 352x288 at 15 fps"),
        ("old", .low, "YUYV 176x144 at 15 fps"), ("old", .vga, nil),
        ("unreadable", .high, nil), ("unreadable", .vga, nil),
        ("ranges", .high, "NV12 1920x1080 at 30 fps"), ("ranges", .medium, "NV12 480x360 at 30 fps"),
        ("ranges", .low, "NV12 192x144 at 30 fps"), ("ranges", .qhd, "NV12 960x540 at 30 fps"), ("ranges", .uhd, nil),
    ]

    @Test("S03: each preset selects its mode or is refused with advice", arguments: table)
    func becomes(camera: String, preset: CameraPreset, mode: String?) async throws {
        let kernel = FakeKernel()
        kernel.add(SlotRig.path, try #require(Self.cameras[camera]))
        let directory = CameraDirectory(calls: kernel)
        let device = try directory.camera(matching: .path(SlotRig.path))
        #expect(preset.isOffered(by: try directory.modes(of: device)) == (mode != nil))
        do throws(CaptureError) {
            let opened = try Camera(device, wish: CameraWish(preset: preset), calls: kernel)
            #expect(opened.format.mode.description == mode)
            await opened.stop()
        } catch {
            #expect(mode == nil && error.kind == .unsupported, "\(error)")
            // The error of a camera without readable formats names the formats instead.
            #expect(camera == "unreadable" || error.description.contains("use the preset"), "\(error)")
        }
        #expect(kernel.openDescriptorCount == 0)
    }

    @Test("S04: a camera's present settings are used, and nothing is set")
    func inputPriority() async throws {
        let rig = try SlotRig(Self.cameras["uhd"], wish: CameraWish(size: PixelSize(960, 540), format: FourCC("NV12")))
        await rig.slot.stop()
        _ = rig.kernel.takeTrace(of: SlotRig.path)
        let device = try rig.directory.camera(matching: .path(SlotRig.path))
        let camera = try Camera(device, wish: CameraWish(preset: .inputPriority), calls: rig.kernel)
        #expect(camera.format.mode.size == PixelSize(960, 540))
        let calls = rig.kernel.takeTrace(of: SlotRig.path)
        #expect(!calls.contains("VIDIOC_S_FMT") && !calls.contains("VIDIOC_S_PARM") && calls.contains("VIDIOC_G_FMT"))
        await camera.stop()
    }

    @Test("a size overrules a preset")
    func size() throws {
        let kernel = FakeKernel()
        kernel.add(SlotRig.path, try #require(Self.cameras["webcam"]))
        let wish = CameraWish(preset: .uhd, size: Self.vga)
        let camera = try Camera(
            CameraDirectory(calls: kernel).camera(matching: .path(SlotRig.path)), wish: wish, calls: kernel)
        #expect(camera.format.mode.size == Self.vga)
    }
}
