import Foundation
import PipTestSupport
import Testing

@testable import pip_compose

@Suite("Effects by FFmpeg's names", .serialized)
struct FFmpegNamesTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test(
        "an effect that is accepted by FFmpeg's name draws what FFmpeg draws",
        arguments: [
            ("hflip", "hflip"), ("negate", "negate"), ("exposure=1", "exposure=1"), ("median", "median"),
            ("gblur=3", "gblur=3:steps=6"), ("avgblur=3", "avgblur=3"), ("rotate=30", "rotate=PI/6"),
            ("curves=0/0 0.3/0.5 1/1", "curves=all='0/0 0.3/0.5 1/1'"),
            ("colorlevels=0.1:max=0.9", "colorlevels=0.1:0.1:0.1:0:0.9:0.9:0.9"),
            (
                "colorchannelmixer=.4 .7 .2 0 .3 .6 .1 0 .2 .5 .1 0 0 0 0 1",
                "colorchannelmixer=.4:.7:.2:0:.3:.6:.1:0:.2:.5:.1"
            ),
        ])
    func drawsTheSame(_ effect: String, _ filter: String) async throws {
        try await draw(["--main", "pattern:scene?size=160x90"], to: "in.png")
        try await draw(["--main", "in.png", "--effect", "main:\(effect)"], to: "ours.png")
        let theirs = try await pixels(["-i", "in.png", "-vf", "format=gbrp,\(filter)"])
        // pip-compose smooths the edge of a rotated picture, and FFmpeg does not.
        let limit = effect.hasPrefix("rotate") ? 2.0 : 1
        #expect(difference(try await pixels(["-i", "ours.png"]), theirs) < limit)
    }

    @Test(
        "a blend that is accepted by FFmpeg's name draws what FFmpeg draws",
        arguments: [
            ("addition", "top"), ("burn", "top"), ("dodge", "top"), ("linearlight", "top"), ("vividlight", "top"),
            ("hardmix", "top"), ("hardlight", "base"), ("pinlight", "base"),
        ])
    func blendsTheSame(_ blend: String, _ first: String) async throws {
        try await draw(["--main", "pattern:scene?size=160x90"], to: "base.png")
        try await draw(["--main", "pattern:ramp?size=160x90"], to: "top.png")
        try await draw(
            [
                "--main", "base.png", "--inset", "top.png", "--layout",
                "at=0:0,width=100%,height=100%,margin=0,blend=\(blend)",
            ], to: "ours.png")
        let theirs = try await pixels([
            "-i", "\(first).png", "-i", first == "top" ? "base.png" : "top.png", "-filter_complex",
            "[0]format=gbrp[a];[1]format=gbrp[b];[a][b]blend=all_mode=\(blend)",
        ])
        #expect(difference(try await pixels(["-i", "ours.png"]), theirs) < 1)
    }

    private func draw(_ arguments: [String], to name: String) async throws {
        let run = try await CommandProcess(
            arguments + ["--output", "\(name)", "--frames", "1", "--quiet"], in: folder.url)
        try #require(run.status == 0, "\(run.errors)")
    }

    /// The RGB samples of the picture that FFmpeg makes with these arguments.
    private func pixels(_ arguments: [String]) async throws -> [UInt8] {
        let run = try await CommandProcess(
            ["ffmpeg", "-v", "error"] + arguments + ["-frames:v", "1", "-f", "rawvideo", "-pix_fmt", "rgb24", "-"],
            of: URL(filePath: "/usr/bin/env"), in: folder.url)
        try #require(run.status == 0 && !run.output.isEmpty, "\(run.errors)")
        return Array(run.output)
    }

    /// The mean difference of the samples.
    ///
    /// Units: 1/255.
    private func difference(_ left: [UInt8], _ right: [UInt8]) -> Double {
        guard left.count == right.count else { return .infinity }
        return Double(zip(left, right).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }) / Double(max(1, left.count))
    }
}
