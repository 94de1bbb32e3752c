import Glibc
import PipCompose
import Testing

extension CameraLab {
    @Suite("A camera that cannot be had")
    struct RefusalTests {
        @Test("row 33: because another program streams from it is named, with that program")
        func busy() async throws {
            try await Vivid.withWebcams(1) { nodes in
                let other = try Background(["cat", nodes[0].path])
                defer { other.stop() }
                _ = other.read()
                let sentence = await refusal(of: nodes[0].source())
                #expect(sentence.contains("/dev/video0: cannot "))
                #expect(sentence.contains("Device or resource busy"))
                #expect(sentence.contains("cat (process "))
            }
        }

        @Test(
            "because the path leads elsewhere is named, with what is there",
            arguments: [
                ("/dev/null", "/dev/null: "), ("/etc/passwd", "it is a regular file, not a device node"),
                ("/dev", "it is a folder, not a device node"), ("/dev/video7", "No such file or directory"),
            ])
        func elsewhere(path: String, reason: String) async {
            let sentence = await refusal(of: CameraSource(.path(path)))
            #expect(sentence.hasPrefix("\(path): cannot "))
            #expect(sentence.contains(reason))
        }

        @Test("because it is an output is named as one")
        func output() async throws {
            let parameters = [
                "n_devs=1", "node_types=0x101", "num_inputs=1", "input_types=0x3", "num_outputs=1", "output_types=0x1",
            ]
            try await withModule("vivid", parameters) {
                let sentence = await refusal(of: CameraSource(.path("/dev/video1")))
                #expect(sentence.hasPrefix("/dev/video1: cannot "))
                #expect(sentence.contains("output"))
            }
        }

        @Test("row 34: for want of permission is named with its group and the command that mends it")
        func notPermitted() async throws {
            try await Vivid.withWebcams(1) { nodes in
                try runProgram(["chgrp", "video", nodes[0].path])
                try runProgram(["chmod", "660", nodes[0].path])
                try #require(setegid(65534) == 0 && seteuid(65534) == 0)
                let sentence = await refusal(of: nodes[0].source())
                try #require(seteuid(0) == 0 && setegid(0) == 0)
                #expect(sentence.contains("/dev/video0: cannot open the camera: open: Permission denied"))
                #expect(sentence.contains("sudo usermod -aG video $USER"))
            }
        }

        /// The error with which making a session of a camera fails.
        private func refusal(of source: CameraSource) async -> String {
            source --> NullSink()
            do {
                _ = try await Session(source)
                return "it was made"
            } catch {
                return error.description
            }
        }
    }
}
