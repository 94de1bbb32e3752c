#if Media
import Foundation
import PipCompose
import PipMedia
import Testing

private let hasLibcamera = LibcameraCamera.isInstalled && Udev.isInstalled

extension CameraLab {
    @Suite(
        "Cameras by way of libcamera", .inVirtualTime, .enabled(if: hasLibcamera, "needs libcamera and udev"))
    struct LibcameraTests {
        @Test("a sensor behind a processor is found by a part of its name, shown, and has the times of its frames")
        func sensor() async throws {
            try await Udev.running {
                try await withModule("vimc") {
                    try Udev.settle()
                    #expect(LibcameraCamera.all().map(\.name) == ["platform/vimc.0 Sensor B"])
                    let camera = LibcameraSource("sensor b", size: PixelSize(640, 480))
                    let tap = FrameTap(.i420, buffering: .newest(2))
                    camera --> tap
                    let clock = MonotonicClock()
                    var ages: [Duration] = []
                    var last: Frame?
                    _ = try await SessionRun.watching(camera, tap, frames: 8) { _, frame, _ in
                        ages.append(frame.timestamp.duration(to: clock.now))
                        last = frame
                    }
                    let frame = try #require(last)
                    // libcamera before version 0.4 gives 636x480 for the requested 640x480.
                    #expect([PixelSize(636, 480), PixelSize(640, 480)].contains(frame.layout.size))
                    // The bars are upright, so one row has all colours.
                    let row = frame.withPlane(0) { bytes, layout in
                        (0..<layout.rowBytes).map { column in
                            unsafe bytes.unsafeLoad(fromByteOffset: 240 * layout.strideInBytes + column, as: UInt8.self)
                        }
                    }
                    #expect(Set(row).count > 4)
                    #expect(ages.allSatisfy { $0 > .zero && $0 < .seconds(5) }, "\(ages)")
                }
            }
        }

        @Test("one that there is not is told with those that there are")
        func missing() async throws {
            try await Udev.running {
                try await withModule("vimc") {
                    try Udev.settle()
                    let camera = LibcameraSource("imx219")
                    camera --> FrameTap(.i420)
                    let error = await #expect(throws: SessionError.self) { try await Session(camera) }
                    #expect(
                        error?.description
                            == "camera:libcamera:imx219: cannot open: libcamera has only platform/vimc.0 Sensor B",
                        "\(String(describing: error))")
                }
            }
        }
    }

    /// Tests that run in real time.
    ///
    /// Without its camera, GStreamer keeps polling for frames, during which virtual time does not advance.
    @Suite("A camera of libcamera's that goes away", .enabled(if: hasLibcamera, "needs libcamera and udev"))
    struct LibcameraReturnTests {
        @Test("a USB camera that is unplugged is told as lost, and shown again when it is back")
        func unplugged() async throws {
            let size = PixelSize(640, 480)
            let pictures = try Pictures()
            let red = try pictures.file("red.mjpeg", try await pictures.plain(.red, size: size))
            try await Udev.running {
                try await withModule("vhci-hcd") {
                    try await withModule("pip_port") {
                        try await withModule("uvcvideo") {
                            do { try await replug(red) } catch let failure as ProgramFailure {
                                // libcamera before 0.7 has a defect: its GStreamer element takes a request from an
                                // empty queue when the camera refuses at once.
                                let isKnown =
                                    failure.said.contains("crashed") && failure.said.contains("libgstlibcamera")
                                guard isKnown || failure.said.contains("RequestWrap") else { throw failure }
                                let reason: Comment = "libgstlibcamera crashed when its camera went away"
                                #if compiler(>=6.3)
                                try Test.cancel(reason)
                                #else
                                withKnownIssue(reason) { throw failure }
                                #endif
                            }
                        }
                    }
                }
            }
        }

        /// Runs a separate program, because libcamera keeps the state of an unplugged camera for the life of a process.
        private func replug(_ pictures: String) async throws {
            var camera: USBCamera? = try USBCamera(serial: "LAB0", pictures: pictures)
            defer { camera?.unplug() }
            // The driver registers the media device, by which libcamera finds the camera, after the video node.
            let clock = MonotonicClock()
            let limit = clock.now.advanced(by: .seconds(30))
            func hasMedia() throws -> Bool {
                try FileManager.default.contentsOfDirectory(atPath: "/dev").contains { $0.hasPrefix("media") }
            }
            while try !hasMedia(), clock.now < limit {
                try await Task.sleep(for: .milliseconds(10))
            }
            try Udev.settle()
            let source = "camera:libcamera:first?size=640x480&format=mjpeg"
            let program = try Background(
                [Self.command, "--main", source, "--output", "null:", "--fps", "10", "--duration", "60s"],
                includesErrors: true)
            try await Task.sleep(for: .seconds(4))
            camera?.unplug()
            camera = nil
            // Either the stream has ended, or, on a busy machine, the camera has refused a request.
            try program.wait(for: "; trying again")
            camera = try USBCamera(serial: "LAB0", pictures: pictures)
            try program.wait(for: "camera:libcamera:first: the source is back")
            try await Task.sleep(for: .seconds(2))
            program.send(SIGINT)
            let (said, status) = program.finish()
            #expect(status == 0 && said.contains("640x480"), "\(said)")
        }

        private static var command: String {
            URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
                .appending(path: "pip-compose").path
        }
    }
}
#endif
