import ArgumentParser
import Foundation
import PipCompose
import PipRig
import PipTestSupport
import Testing

@testable import pip_compose

@Suite("As fast as it can, or in real time")
struct PaceTests {
    private func pace(_ line: String) throws -> OutputPace {
        let arguments = line.split(separator: " ").map(String.init)
        let command = try #require(try RootCommand.parseAsRoot(arguments) as? ComposeCommand)
        let (file, _) = try RigFile.asking(
            composition: command.composition, running: command.running, pressure: command.pressure,
            panel: command.panel, broker: command.broker)
        return RunRequest(file: file, waitsForCameras: nil, origin: .none).pace
    }

    @Test(
        "files become files as fast as the machine can",
        arguments: [
            "--main clip.mp4 --output out.mp4",
            "--main clip.mp4 --inset pattern:bars --output out.y4m --output out.png",
            "--main clip.mp4?loop=true --output out.mkv --duration 10s",
            "--main photo.jpg --frames 30 --output out.mp4",
            "--main clip.y4m --fps 10 --output out.mp4", "--main clip.mp4 --output out.mp4 --output null:",
            "--main clip.mp4 --audio music.mp3 --audio movie:main --output out.mp4",
        ])
    func fast(_ line: String) throws { #expect(try pace(line) == .maximum) }

    @Test(
        "what is live, watched, endless or asked for is in real time",
        arguments: [
            "--main clip.mp4 --output out.mp4 --realtime", "--main camera:0 --output out.mp4 --duration 1s",
            "--main clip.mp4 --inset camera:0 --output out.mp4", "--main clip.mp4 --inset rtsp://a/b --output out.mp4",
            "--main clip.mp4?loop=true --output out.mp4", "--main photo.jpg --output out.mp4",
            "--main pattern:bars --output out.mp4 --duration 1s", "--main clip.mp4 --output -",
            "--main clip.mp4 --output rtmp://a/live/b", "--main clip.mp4 --output live/index.m3u8",
            "--main clip.mp4 --output out.mp4 --output window:", "--main clip.mp4 --output virtual-camera:",
            "--main clip.mp4 --output null:", "--main - --output out.mp4",
            "--main clip.mp4 --output /dev/null?format=y4m",
            "--main clip.mp4 --output out.mp4 --panel 8080", "--main clip.mp4 --audio hw:1,0 --output out.mp4",
        ])
    func realTime(_ line: String) throws { #expect(try pace(line) == .realTime) }

    private struct Statistics: Decodable {
        struct Output: Decodable { let missed: Int }
        let output: Output
    }

    /// Splits a Y4M file of 64×48 pixels in 4:2:0 into its frames, with their headers.
    private func frames(_ file: [UInt8]) -> [ArraySlice<UInt8>] {
        let size = "FRAME\n".utf8.count + 64 * 48 * 3 / 2
        let first = file.firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? file.endIndex
        return stride(from: first, to: file.endIndex, by: size).map { file[$0..<min($0 + size, file.endIndex)] }
    }

    @Test("the frames are the same either way, at a rate of their own, too")
    func sameFrames() async throws {
        let folder = try TemporaryFolder()
        try await folder.succeed("--main pattern:scene?size=64x48 --fps max --frames 15 --output in.y4m --quiet")
        for rate in ["", " --fps 60"] {
            for (name, option) in [("fast", ""), ("slow", " --realtime")] {
                try await folder.succeed(
                    "--main in.y4m --inset pattern:bars?size=32x16\(rate) --output \(name).y4m --stats \(name).json"
                        + " --quiet\(option)")
            }
            let (fast, slow) = (frames(try folder.read("fast.y4m")), frames(try folder.read("slow.y4m")))
            let statistics = try JSONDecoder().decode(Statistics.self, from: Data(folder.read("slow.json")))
            if statistics.output.missed == 0 {
                #expect(slow == fast, "\(rate)")
            } else {
                // A busy machine makes fewer frames in real time, reports their number, and may show a picture longer.
                let order = try slow.map { try #require(fast.firstIndex(of: $0), "\(rate)") }
                #expect(order == order.sorted() && slow.last == fast.last, "\(rate): \(order)")
                #expect(slow.count + statistics.output.missed >= fast.count, "\(rate): \(order)")
            }
            for name in ["fast", "slow"] { try FileManager.default.removeItem(atPath: folder.path("\(name).y4m")) }
        }
    }
}
