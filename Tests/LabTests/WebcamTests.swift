import Foundation
import PipCompose
import PipFrames
import Testing

@testable import PipCapture

#if Media
import PipMedia
#endif

extension CameraLab {
    /// Tests features of UVC cameras other than pictures: lenses, shutters and an infrared sensor.
    @Suite("A webcam with everything")
    struct WebcamTests {
        /// Runs one simulated webcam.
        ///
        /// Calls `look` with the number of each frame, the source, the camera, its node and the session.
        private static func watch(
            frames: Int, options: [String] = [], wish: CameraWish? = nil,
            _ look: (Int, CameraSource, USBCamera, VideoNode, Session) async throws -> Void
        ) async throws -> SessionRun {
            let pictures = try Pictures()
            let file = try pictures.file("red.mjpeg", try await pictures.plain(.red))
            return try await USBCamera.withCameras([file], options: options) { cameras in
                let node = try VideoNode(cameras[0].path)
                let source = wish.map { CameraSource(.path(cameras[0].path), wish: $0) } ?? cameras[0].source()
                let tap = FrameTap(.nv12, buffering: .newest(4))
                source --> tap
                return try await SessionRun.watching(source, tap, frames: frames) { number, _, session in
                    try await look(number, source, cameras[0], node, session)
                }
            }
        }

        @Test("C04, C07, C11: its focus, white balance and zoom are set by meaning, all together, and read back")
        func adjusted() async throws {
            var values: [String: Int] = [:]
            _ = try await Self.watch(frames: 40) { number, source, _, node, session in
                guard number == 10 else { return }
                try await session.adjust(source) {
                    $0.focus = .position(0.5)
                    $0.whiteBalance = .temperature(5200)
                    $0.exposure = .time(.milliseconds(20))
                    $0.zoom = 2
                    $0.powerLine = .hertz60
                }
                values = try node.values()
            }
            #expect(values["focus_automatic_continuous"] == 0 && values["focus_absolute"] == 125)
            #expect(values["white_balance_automatic"] == 0 && values["white_balance_temperature"] == 5200)
            #expect(values["auto_exposure"] == 1 && values["exposure_time_absolute"] == 200)
            #expect(values["zoom_absolute"] == 200 && values["power_line_frequency"] == 2)
        }

        @Test("C04: focuses once, and keeps what the lens has found")
        func focusOnce() async throws {
            var values: [String: Int] = [:]
            let run = try await Self.watch(frames: 240) { number, source, camera, node, session in
                switch number {
                case 10: try await session.adjust(source) { $0.focus = .once }
                case 15: try camera.tell("set focus_absolute 80")
                case 235: values = try node.values()
                default: break
                }
            }
            #expect(values["focus_automatic_continuous"] == 0 && values["focus_absolute"] == 80, "\(values)")
            let settled = run.cameraEvents.compactMap { event -> CameraAdjustments.Automatic? in
                if case .settled(let subject, _) = event.event { subject } else { nil }
            }
            #expect(settled == [.focus])
        }

        @Test("C03: when the device refuses one of several, all are as they were, and it is named")
        func refused() async throws {
            var (before, after): ([String: Int], [String: Int]) = ([:], [:])
            var refusal: SessionError?
            _ = try await Self.watch(frames: 40) { number, source, camera, node, session in
                guard number == 10 else { return }
                before = try node.values()
                try camera.tell("stall focus_absolute")
                do throws(SessionError) {
                    try await session.adjust(source) { ($0.zoom, $0.focus) = (3, .position(0)) }
                } catch { refusal = error }
                after = try node.values()
            }
            #expect(
                refusal?.description.contains("cannot set focus_absolute to 250") == true,
                "\(String(describing: refusal))")
            #expect(after == before)
        }

        @Test("D06: its shutter is told when it is closed and when it is opened; what else it changes, too")
        func shutter() async throws {
            let run = try await Self.watch(frames: 160) { number, _, camera, _, _ in
                switch number {
                case 20: try camera.tell("set privacy 1")
                case 50: try camera.tell("set privacy 0")
                case 80: try camera.tell("set white_balance_temperature 4000")
                default: break
                }
            }
            let events = run.cameraEvents.map(\.event)
            #expect(events.filter { [.covered, .uncovered].contains($0) } == [.covered, .uncovered])
            let changes = run.controlChanges
            #expect(changes.contains { $0["white_balance_temperature"] == 4000 }, "\(changes)")
            for source in run.statistics.sources { run.expectAccounted(source) }
        }

        @Test("C06: its rate stays in the dark, since the exposure may not lower it")
        func dark() async throws {
            let run = try await Self.watch(frames: 150) { number, _, camera, node, _ in
                if number == 5 { #expect(try node.values()["exposure_dynamic_framerate"] == 0) }
                if number == 20 { try camera.tell("dark") }
            }
            let rate = run.statistics.sources[0].framesPerSecond
            #expect((28...31).contains(rate), "\(rate)")
        }

        @Test("D09: a picture in colour and one in infrared are two cameras of one device, and both stream")
        func infrared() async throws {
            let pictures = try Pictures()
            let size = PixelSize(640, 360)
            let file = try pictures.file("red.mjpeg", try await pictures.plain(.red, size: size))
            try await USBCamera.withCameras([file], options: ["--infrared"]) { _ in
                let found = CameraDirectory().cameras()
                #expect(found.count == 2 && found.map(\.stableName).count == Set(found.map(\.stableName)).count)
                let group = try #require(CameraGroup.groups(of: found).first)
                #expect(group.cameras == found && group.name == "Lab Camera")
                let grey = try #require(found.first { $0.card.contains("Infrared") })
                let colour = try #require(found.first { $0 != grey })
                let infrared = CameraSource(
                    .name(grey.stableName), wish: CameraWish(size: size, format: FourCC("GREY")))
                let main = CameraSource(.name(colour.stableName), wish: CameraWish(size: size, format: FourCC("MJPG")))
                let picture = Compositor {
                    Layer(main)
                    Layer(infrared).placed(.topRight, width: 0.25)
                }
                let tap = FrameTap(.nv12, buffering: .newest(4))
                picture --> tap
                let run = try await SessionRun.watching(picture, tap, frames: 60) { _, _, _ in }
                #expect(run.statistics.sources.map(\.format) == ["MJPG", "GREY"])
                for source in run.statistics.sources {
                    #expect(source.used > 40, "\(source.name): \(source.used)")
                    run.expectAccounted(source)
                }
            }
        }

        @Test("C08: a lamp of the kernel's LED class is found by its function, and lit")
        func lamp() async throws {
            try await withModule("uleds") {
                let driver = try FileHandle(forUpdating: URL(filePath: "/dev/uleds"))
                var request = [UInt8]("lab:white:torch".utf8)
                request += [UInt8](repeating: 0, count: 64 - request.count) + [255, 0, 0, 0]
                try driver.write(contentsOf: Data(request))
                let lamp = try #require(Lamp.all().first)
                #expect(lamp.name == "lab:white:torch" && lamp.maximum == 255)
                try lamp.set(0.5)
                #expect(lamp.level.map { abs($0 - 0.5) < 0.01 } == true)
                try lamp.set(0)
                #expect(lamp.level == 0)
                try driver.close()
            }
        }

        #if Media
        @Test("F03: what it sends as H.264 is decoded, every picture in its place, and goes on after a loss")
        func encoded() async throws {
            let folder = FileManager.default.temporaryDirectory.path
            let size = PixelSize(640, 360)
            let stream = "\(folder)/lab.h264"
            try runProgram([
                "ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", "color=red:size=\(size):rate=30", "-frames:v", "30",
                "-c:v", "libx264", "-bf", "0", "-x264-params", "aud=1:repeat-headers=1:keyint=15", "-f", "h264", stream,
            ])
            let wish = CameraWish(size: size, frameRate: FrameRate(30), format: CameraWish.format(named: "h264"))
            let pictures = try Pictures()
            let file = try pictures.file("blue.mjpeg", try await pictures.plain(.blue, size: size))
            try await USBCamera.withCameras([file], options: ["--h264", "\(size):\(stream)"]) { cameras in
                let source = CameraSource(.path(cameras[0].path), wish: wish)
                let tap = FrameTap(.nv12, buffering: .newest(4))
                source --> tap
                var options = SessionOptions.ungoverned
                options.decodeCameraVideo()
                var reds = 0
                let run = try await SessionRun.watching(source, tap, frames: 90, options: options) {
                    number, frame, _ in
                    if number == 30 { try cameras[0].tell("error") }
                    if number > 10, frame.samples(x: 100, y: 100)[2] > 200 { reds += 1 }
                }
                #expect(reds > 60, "\(reds)")
                let camera = run.statistics.sources[0]
                #expect(camera.format == "H264")
                run.expectAccounted(camera)
            }
        }
        #endif
    }
}
