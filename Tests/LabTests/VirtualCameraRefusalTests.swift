import Foundation
import PipCompose
import Testing

extension CameraLab {
    @Suite("What is said of virtual cameras", .inVirtualTime)
    struct VirtualCameraRefusalTests {
        @Test("row 60: a second writer is refused, by whatever means the first one writes", arguments: [true, false])
        func writers(hasExclusiveCaps: Bool) async throws {
            try await Loopback.with(hasExclusiveCaps: hasExclusiveCaps) {
                let statistics = try await Loopback.showing(VirtualCamera(Loopback.path)) { _ in
                    let said = await Loopback.refusal(of: VirtualCamera(Loopback.path))
                    #expect(said.contains("another output of this program writes to it"), "\(said)")
                    let none = await Loopback.refusal(of: VirtualCamera())
                    #expect(none.contains("each virtual camera is open"), "\(none)")
                }
                #expect(statistics.sinks[0].drops.total == 0 && statistics.output.missed == 0)
                let other = try Background(
                    Loopback.ffmpegWords(
                        "-re -f lavfi -i testsrc=size=320x180:rate=30 -pix_fmt yuv420p -f v4l2 \(Loopback.path)"))
                let directory = VirtualCameraDirectory()
                while directory.devices().first?.format == nil { try await Task.sleep(for: .milliseconds(50)) }
                try await Task.sleep(for: .milliseconds(200))
                let said = await Loopback.refusal(of: VirtualCamera(Loopback.path))
                #expect(said.contains("another program writes to it; it is open in ffmpeg (process "), "\(said)")
                other.stop()
                // After ffmpeg has written to the device, the driver does not announce the device again, so the next
                // session must.
                let statistics2 = try await Loopback.showing(VirtualCamera(Loopback.path)) { _ in
                    let frame = try VideoReader(Loopback.path).next()
                    #expect(frame.bytes.count == Loopback.size.area * 3 / 2)
                }
                #expect(statistics2.sinks[0].error == nil)
            }
        }

        @Test("row 60: a format that readers hold is named with them and with what would do")
        func mismatch() async throws {
            try await Loopback.with {
                var reader: Background?
                _ = try await Loopback.showing(VirtualCamera(Loopback.path)) { _ in
                    reader = try Background(["cat", Loopback.path])
                    _ = reader?.read()
                }
                defer { reader?.stop() }
                let said = await Loopback.refusal(of: VirtualCamera(Loopback.path, format: .yuyv))
                #expect(
                    said.contains("it takes 320x180 YU12, not 320x180 YUYV while these programs have it open: cat ("))
                #expect(said.contains("'/dev/video10?size=320x180&format=i420'"), "\(said)")
                // The reader receives the pictures of the next session, whose format is the same.
                _ = try await Loopback.showing(VirtualCamera(Loopback.path)) { _ in
                    #expect(reader?.read().isEmpty == false)
                }
                reader?.stop()
                _ = try await Loopback.showing(VirtualCamera(Loopback.path, format: .yuyv)) { _ in }
            }
        }

        @Test("row 60: what is missing, and what is a real camera, is said with the command that makes one")
        func missing() async throws {
            let absent = await Loopback.refusal(of: VirtualCamera(Loopback.path))
            #expect(
                absent.contains(
                    "there is no such device; this command creates a virtual camera: sudo modprobe v4l2loopback "
                        + "video_nr=10 ")
            )
            try await Vivid.withWebcams(1) { nodes in
                let said = await Loopback.refusal(of: VirtualCamera(nodes[0].path))
                #expect(said.contains("it is a camera, vivid: only devices of v4l2loopback"), "\(said)")
            }
            try await Loopback.with {
                let said = await Loopback.refusal(of: VirtualCamera("/dev/video11"))
                #expect(said.contains("existing virtual cameras: /dev/video10 (\"desk\"); to load the driver with"))
                let file = await Loopback.refusal(of: RawFile(Loopback.path, format: .i420))
                #expect(file.contains("it is a video device; use a virtual camera"), "\(file)")
            }
        }

        @Test("is listed by the doctor, and by `devices` as an output as long as nobody writes to it")
        func reports() async throws {
            try await Loopback.with(hasExclusiveCaps: false) {
                let idle = try command("devices")
                #expect(idle.contains("No camera found.") && idle.contains("--output 'virtual-camera:desk'"), "\(idle)")
                let diagnosis = try command("doctor")
                #expect(diagnosis.contains("without exclusive_caps"))
            }
            try await Loopback.with {
                let idle = try command("devices")
                #expect(idle.contains("  /dev/video10  desk"))
                _ = try await Loopback.showing(VirtualCamera(Loopback.path)) { _ in
                    let (devices, diagnosis) = (try command("devices"), try command("doctor"))
                    #expect(devices.contains("camera:0  desk") && diagnosis.contains("shows YU12:320x180@30"))
                }
                let run = try command(
                    "--main pattern:bars?size=320x180 --output virtual-camera:?format=nv12 --frames 10 --quiet")
                #expect(run.isEmpty)
            }
        }

        /// Runs `pip-compose`, and returns its output with wrapped lines joined.
        private func command(_ options: String) throws -> String {
            let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
                .appending(path: "pip-compose").path
            let said = try runProgram([program] + options.split(separator: " ").map(String.init))
            return said.replacing(/\n {22}/, with: " ")
        }
    }
}
