import Foundation
import Testing

extension CameraLab {
    @Suite("The doctor's look at cameras")
    struct DoctorTests {
        @Test("measures what they deliver, and notes the one that loses every other frame")
        func rates() async throws {
            try await Vivid.withWebcams { nodes in
                try nodes[1].set("percentage_of_dropped_buffers", to: 50)
                let said = try doctor("--measure")
                let rates = nodes.map { node in
                    said.first { $0.contains(" \(node.path) delivers ") }?.split(separator: " ").lazy
                        .compactMap { Double($0) }.first
                }
                #expect(said.contains { $0.hasPrefix("note     rate         /dev/video1 delivers ") })
                // The first camera may lose frames, too, on a busy host, but not every other frame.
                #expect(try #require(rates[0]) > 1.2 * (try #require(rates[1])))
            }
        }

        @Test("names the program that has a camera open, and leaves that camera alone")
        func busy() async throws {
            try await Vivid.withWebcams(1) { nodes in
                let other = try Background(["cat", nodes[0].path])
                defer { other.stop() }
                _ = other.read()
                let said = try doctor("--measure")
                #expect(said.contains { $0.hasPrefix("PROBLEM  camera") })
                #expect(said.contains { $0.hasSuffix("is open in cat") })
                #expect(said.contains { $0.contains("mend it: end that program: kill ") })
                #expect(!said.contains { $0.contains(" rate ") })
            }
        }

        /// The output lines of `pip-compose doctor` with an option.
        private func doctor(_ option: String) throws -> [String] {
            let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
                .appending(path: "pip-compose").path
            return try runProgram([program, "doctor", option]).split(separator: "\n").map(String.init)
        }
    }
}
