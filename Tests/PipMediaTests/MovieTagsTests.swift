#if Media
import Foundation
import PipCompose
import PipConcurrency
import PipFrames
import PipPatterns
import PipSinks
import PipTestSupport
import Testing

@testable import PipMedia

@Suite("Tags of movie files")
struct MovieTagsTests {
    /// Returns the tags of a file, keyed by lowercased name.
    private func tags(_ path: String) throws -> [String: String] {
        let tags = try Probe.fields(["-show_entries", "format_tags"], of: path)
        return Dictionary(uniqueKeysWithValues: tags.map { ($0.key.lowercased(), $0.value) })
    }

    private func date(_ text: String?) throws -> Double {
        let format = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        return try format.parse(try #require(text)).timeIntervalSince1970
    }

    @Test(
        "a camera's file tells when its first frame was captured, and by which camera",
        arguments: ["a.mp4", "a.mov", "a.mkv"])
    func captured(_ name: String) async throws {
        let rig = try RecordingRig()
        rig.kernel.change(RecordingRig.path) { $0.card = "Kamera für vorn" }
        rig.camera --> CameraFile(rig.folder.path(name))
        var expected = 0.0
        _ = try await rig.run { _ in
            rig.goByMachineTime()
            let times = rig.deliver(RecordingRig.pictures(3).map { FakeFrame.compressed($0) })
            expected = WallTime(of: times[0], by: MonotonicClock()).sinceEpoch.inSeconds
        }
        let tags = try tags(rig.folder.path(name))
        let created = try date(tags["creation_time"])
        // MP4 rounds dates down to seconds.
        let least = name == "a.mkv" ? expected - 0.01 : expected.rounded(.down) - 0.01
        #expect(created >= least && created <= expected + 0.01, "\(created), \(expected)")
        #expect(tags["title"] == "Kamera für vorn")
        // QuickTime has two places for it, and FFmpeg 9 shows both.
        #expect(tags["encoder"]?.split(separator: ";").allSatisfy { $0 == "pip-compose" } == true)
    }

    @Test("a composed file tells its time, its cameras and its program", arguments: ["a.mp4", "a.mkv", "a.webm"])
    func composed(_ name: String) async throws {
        let rig = try RecordingRig()
        let picture = Compositor(canvas: RecordingRig.size) {
            Layer(rig.camera)
            Layer(rig.camera).placed(.topLeft, width: 0.5)
            Layer(PatternSource(.bars, size: PixelSize(32, 32))).placed(.topRight, width: 0.2)
        }
        let output = picture --> MovieFile(rig.folder.path(name))
        let before = WallTime.now.sinceEpoch.inSeconds
        _ = try await rig.run(drawing: false) { _ in
            _ = rig.deliver([.compressed(RecordingRig.pictures(1)[0])])
            #expect(await becomes { output.statistics.written > 2 })
        }
        let tags = try tags(rig.folder.path(name))
        let created = try date(tags["creation_time"])
        #expect(created > before - 1.01 && created < WallTime.now.sinceEpoch.inSeconds)
        #expect(tags["title"] == "Fake Camera")
    }

    @Test("a camera's name with a comma stays one in the title")
    func commas() {
        let names = ["Logitech, Inc. C920", "Front", "a,b"]
        let title = MovieTags.title(names)
        #expect(title?.split(separator: ", ").count == 3)
        #expect(MovieTags.cameras(inTitle: title ?? "") == names)
        #expect(MovieTags.cameras(inTitle: "") == [])
    }

    @Test("a picture without cameras has no title, and a long title is cut")
    func titles() {
        #expect(MovieTags.title([]) == nil && MovieTags.title(["", ""]) == nil)
        #expect(MovieTags.title(["Front", "Rear", "Front"]) == "Front, Rear")
        let long = MovieTags.title((0..<40).map { "Kamera für \($0)" })
        #expect((100...120).contains(long?.utf8.count ?? 0))
    }

    @Test(
        "players are told how to rotate the pictures, which are stored as the camera sent them",
        arguments: [(90, "-90"), (180, "-180"), (270, "90")], ["a.mp4", "a.mov"])
    func turned(_ turn: (degrees: Int, rotation: String), _ name: String) async throws {
        let rig = try RecordingRig()
        let orientation = try #require(Orientation(degrees: turn.degrees))
        let pictures = RecordingRig.pictures(5)
        rig.camera --> CameraFile(rig.folder.path(name), orientation: orientation)
        _ = try await rig.run { _ in _ = rig.deliver(pictures.map { FakeFrame.compressed($0) }) }
        let probe = try Probe(rig.folder.path(name))
        #expect(probe.fields["rotation"] == turn.rotation)
        #expect(probe.fields["width"] == "64" && probe.fields["height"] == "48")
        try runProgram([
            "ffmpeg", "-v", "error", "-noautorotate", "-i", rig.folder.path(name), "-c", "copy", "-f", "image2",
            rig.folder.path("%02d.jpg"),
        ])
        #expect(try rig.folder.read("03.jpg") == pictures[2])
        // FFmpeg shows the picture upright: a quarter turn exchanges its width and height.
        let shown = try runProgram([
            "ffmpeg", "-v", "error", "-i", rig.folder.path(name), "-frames:v", "1", "-f", "framemd5", "-",
        ])
        let size = turn.degrees == 180 ? "64x48" : "48x64"
        #expect(shown.contains("#dimensions 0: \(size)"), "\(shown)")
    }

    @Test("the matrix maps each stored point to the shown point", arguments: Orientation.allCases)
    func matrix(_ orientation: Orientation) {
        let size = PixelSize(64, 48)
        let matrix = MovieHeader.matrix(orientation, size).map { Double($0) / 65536 }
        let shown = orientation.size(of: size)
        for (x, y) in [(0.25, 0.25), (0.75, 0.125), (0.5, 0.875)] {
            let stored = orientation.storedPoint(x: x, y: y)
            let (u, v) = (stored.x * 64, stored.y * 48)
            #expect(abs(u * matrix[0] + v * matrix[3] + matrix[6] - x * Double(shown.width)) < 1e-6)
            #expect(abs(u * matrix[1] + v * matrix[4] + matrix[7] - y * Double(shown.height)) < 1e-6)
        }
    }

    @Test("a recording that is killed has its rotation, too")
    func unfinished() async throws {
        let rig = try RecordingRig()
        let output = rig.camera --> CameraFile(rig.folder.path("a.mp4"), orientation: Orientation(quarterTurns: 1))
        _ = try await rig.run { _ in
            let pictures = RecordingRig.pictures(60).map { FakeFrame.compressed($0) }
            _ = rig.deliver(pictures)
            #expect(await becomes { output.statistics.written == 60 })
            // Copy the file while it is being written: a crash would leave these bytes.
            #expect(
                await becomes {
                    guard let bytes = try? rig.folder.read("a.mp4") else { return false }
                    try? rig.folder.write(bytes, to: "b.mp4")
                    return (try? Probe(rig.folder.path("b.mp4")))?.fields["rotation"] == "-90"
                })
        }
        #expect(try Probe(rig.folder.path("b.mp4")).frames > 10)
    }

    @Test("containers that cannot store a rotation are refused", arguments: ["a.mkv", "a.webm", "a.ts"])
    func refused(_ name: String) {
        let file = MovieFile(name, orientation: Orientation(quarterTurns: 1))
        let error = #expect(throws: SinkError.self) { try file.checked() }
        #expect(error?.description.contains("cannot store an orientation; use .mp4 or .mov") == true)
    }
}
#endif
