#if Media
import Foundation
import PipCompose
import PipMedia
import Testing

private let hasLibcamera = LibcameraCamera.isInstalled && Udev.isInstalled

extension CameraLab {
    @Suite(
        "Cameras by way of libcamera", .inVirtualTime, .enabled(if: hasLibcamera, "it needs libcamera and udev"))
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
                    // The size is the image processor's choice for the request.
                    #expect(frame.layout.size == PixelSize(636, 480))
                    // The bars are upright.
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

    /// These tests run in real time.
    ///
    /// Without its camera, the engine keeps looking for frames, which takes no virtual time.
    @Suite("A camera of libcamera's that goes away", .enabled(if: hasLibcamera, "it needs libcamera and udev"))
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
                                // The element of libcamera 0.0.3 accesses a request that its camera has freed.
                                guard failure.said.contains("crashed"), failure.said.contains("libgstlibcamera") else {
                                    throw failure
                                }
                                try Test.cancel("libgstlibcamera crashed when its camera went away")
                            }
                        }
                    }
                }
            }
        }

        /// The test uses a separate program, because libcamera keeps state of an unplugged camera for the life of its
        /// process.
        private func replug(_ pictures: String) async throws {
            var camera: USBCamera? = try USBCamera(serial: "LAB0", pictures: pictures)
            defer { camera?.unplug() }
            try Udev.settle()
            let source = "camera:libcamera:first?size=640x480&format=mjpeg"
            let program = try Background(
                [Self.command, "--main", source, "--output", "null:", "--fps", "10", "--duration", "60s"],
                includesErrors: true)
            try await Task.sleep(for: .seconds(4))
            camera?.unplug()
            camera = nil
            // The stream has ended; or, on a busy machine, the camera accepts no request.
            try program.wait(for: "; trying again")
            camera = try USBCamera(serial: "LAB0", pictures: pictures)
            try program.wait(for: "camera:libcamera:first: is back")
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
