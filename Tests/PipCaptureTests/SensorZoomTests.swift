import CV4L2
import PipFrames
import PipTestSupport
import Testing

@testable import PipCapture

@Suite("Zoom by cropping the sensor")
struct SensorZoomTests {
    private static func camera(lens: Bool = false) -> FakeCamera {
        var camera = FakeCamera(formats: [FakeCamera.Format("YUYV", 640, 480)])
        camera.sensor = PixelSize(1920, 1440)
        if lens {
            camera.controls = [
                FakeCamera.Control(
                    UInt32(V4L2_CID_ZOOM_ABSOLUTE), "Zoom", V4L2_CTRL_TYPE_INTEGER, 100...200, value: 100)
            ]
        }
        return camera
    }

    private static func wish(_ zoom: Double) -> CameraWish {
        var wish = CameraWish()
        wish.adjustments.zoom = zoom
        return wish
    }

    private static func crop(_ rig: SlotRig) -> [Int]? {
        var crop: v4l2_rect?
        rig.kernel.change(SlotRig.path) { crop = $0.crop }
        return crop.map { [Int($0.left), Int($0.top), Int($0.width), Int($0.height)] }
    }

    @Test("C11: at a factor of 2 the crop is centred, and half as wide and high")
    func halved() async throws {
        let rig = try SlotRig(Self.camera(), wish: Self.wish(2))
        #expect(Self.crop(rig) == [480, 360, 960, 720])
        #expect(rig.slot.ownZoom(of: 2) == 2)
        #expect(rig.slot.format?.layout.size == PixelSize(640, 480))
        await rig.slot.stop()
    }

    @Test("C11: the lens zooms first, and the sensor's crop does the remainder")
    func behindLens() async throws {
        let rig = try SlotRig(Self.camera(lens: true), wish: Self.wish(3))
        #expect(rig.kernel.controlValue(UInt32(V4L2_CID_ZOOM_ABSOLUTE), of: SlotRig.path) == 200)
        #expect(Self.crop(rig) == [320, 240, 1280, 960])
        #expect(rig.slot.ownZoom(of: 3) == 3)
        await rig.slot.stop()
    }

    @Test("C11: a zoom that the camera cannot do is left to a crop of its pictures")
    func left() async throws {
        var plain = Self.camera()
        plain.sensor = nil
        var small = Self.camera()
        // A camera that does not scale would deliver smaller pictures.
        small.scales = false
        for camera in [plain, small] {
            let rig = try SlotRig(camera, wish: Self.wish(2))
            #expect(rig.slot.ownZoom(of: 2) == 1)
            #expect([nil, [0, 0, 1920, 1440]].contains(Self.crop(rig)))
            await rig.slot.stop()
        }
    }

    @Test("C11: the factor from which pictures are enlarged is the sensor's spare pixels, times the lens")
    func threshold() throws {
        let kernel = FakeKernel()
        kernel.add(SlotRig.path, Self.camera(lens: true))
        let directory = CameraDirectory(calls: kernel)
        let zoom = try directory.zoom(of: try directory.camera(matching: .path(SlotRig.path)))
        #expect(zoom == CameraZoom(lens: 2, sensor: PixelSize(1920, 1440)))
        #expect(zoom.enlarges(PixelSize(640, 480)) == 6)
        #expect(zoom.enlarges(PixelSize(1920, 1080)) == 2)
        #expect(CameraZoom(lens: 1, sensor: nil).enlarges(PixelSize(640, 480)) == 1)
    }

    @Test("without a requested zoom, the sensor's crop is neither read nor set")
    func untouched() throws {
        let rig = try Rig(Self.camera())
        #expect(!rig.kernel.takeTrace(of: Rig.path).contains { $0.contains("SELECTION") })
    }
}
