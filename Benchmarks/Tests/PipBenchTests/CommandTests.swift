import Foundation
import Testing

@testable import pip_bench

/// The workloads of a made-up site, whose programs do not exist.
enum Fixture {
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().path
    static let site = Site(
        pipCompose: "pip-compose", openCV: "opencv-compose", inputs: Inputs(folder: "in", size: .hd720))
    static let workloads = Workloads(site: site).all
    static let scalings = Scaling.all(site)
    static let ids = workloads.map(\.id) + scalings.map(\.id)
}

@Suite("Workloads and commands")
struct CommandTests {
    @Test("every workload of the table is there, in order")
    func ids() {
        #expect(
            Fixture.ids == [
                "W1", "W1y", "W2", "W2b", "W2c", "W3", "W4", "W5", "W6", "W7", "W8", "W9", "W10", "R1", "S1", "S2",
                "S3",
            ])
    }

    @Test("every workload runs pip-compose in NV12 and I420 alike", arguments: Fixture.workloads)
    func ours(workload: Workload) {
        let outputs = workload.ours.contenders.flatMap(\.ways).map { $0.command(9).words }
        let isRecorded = workload.ours.recording != nil
        #expect(outputs.map { $0.contains("null:?format=nv12") } == [!isRecorded, false])
        #expect(outputs.map { $0.contains("null:?format=i420") } == [false, !isRecorded])
        #expect(outputs.allSatisfy { $0.suffix(3) == ["--frames", "9", "--quiet"] })
    }

    @Test("every peer takes part, or the workload says why not", arguments: Fixture.workloads)
    func peers(workload: Workload) {
        let peers = workload.peers.map(\.name).filter { $0 != Name.apart }
        let names = peers + workload.absent.map(\.name)
        #expect(
            Set(names) == [Name.ffmpeg, Name.gstreamer, Name.gl, Name.glRGBA, Name.glConverted, Name.openCV])
        #expect(names.count == 6)
        #expect(workload.peers.allSatisfy { !$0.ways.isEmpty })
    }

    @Test("the number of frames reaches every program", arguments: Fixture.workloads)
    func frames(workload: Workload) {
        for way in workload.peers.flatMap(\.ways) {
            #expect(way.command(7777).shellText.contains("7777"))
        }
    }

    @Test("the inset lies where pip-compose's layout puts it", arguments: [360, 720, 1080, 2160])
    func geometry(height: Int) {
        let geometry = Geometry(size: FrameSize(height: height))
        #expect(geometry.left + geometry.inset.width + 24 == geometry.size.width)
        #expect(geometry.inset.width * 4 == geometry.size.width)
        #expect(geometry.inset.width.isMultiple(of: 2) && geometry.inset.height.isMultiple(of: 2))
    }

    @Test("FFmpeg tries each graph in both formats, one thread first")
    func ffmpegWays() {
        let graphs = [FFmpeg.Graph(text: "a"), FFmpeg.Graph(name: "table", text: "b")]
        let ways = FFmpeg(site: Fixture.site, graphs: graphs).contender.ways
        #expect(ways.count == 8)
        #expect(ways.prefix(2).map(\.name) == ["i420, 1 thread", "table, i420, 1 thread"])
        #expect(ways[1].command(1).words.contains("b"))
    }

    @Test("a shader is one argument of GStreamer's, in quotes")
    func shader() throws {
        let branch = GStreamerGL.Branch(effects: [Shaders.fused([.contrast(1.5)])], pad: "xpos=1")
        let contenders = GStreamerGL(site: Fixture.site, variants: [.init(branches: [branch])]).contenders
        let words = try #require(contenders.first?.ways.first).command(1).words
        let index = try #require(words.firstIndex(of: "glshader"))
        #expect(words[index + 1].hasPrefix("fragment=\"#version 100\n"))
        #expect(words[index + 1].hasSuffix("}\""))
        #expect(words.contains("sink_0::xpos=1"))
    }

    @Test("words are quoted for a shell where they must be")
    func quoting() {
        let command = Command(["a b", "it's", "x=1"], environment: ["K": "v w"])
        #expect(command.shellText == "K='v w' 'a b' 'it'\\''s' x=1")
    }

    @Test("a gaussian's weights sum to one, over both sides", arguments: [0.8, 2, 4])
    func weights(sigma: Double) {
        let weights = Shaders.weights(sigma)
        #expect(abs(weights[0] + 2 * weights.dropFirst().reduce(0, +) - 1) < 1e-12)
        #expect(zip(weights, weights.dropFirst()).allSatisfy { $0 > $1 })
    }

    @Test("arguments are read, and what is unknown is refused")
    func arguments() throws {
        let arguments = try Arguments(["--quick", "--size", "1080p", "--turns", "3", "w1y"])
        #expect(arguments.isQuick && arguments.sizes == [.hd1080] && arguments.turns == 3)
        #expect(arguments.wants("W1y") && !arguments.wants("W1"))
        #expect(arguments.results == "./results/partial")
        #expect(try Arguments(["--check"]).results == "./results")
        #expect(throws: ArgumentError.self) { try Arguments(["--fast"]) }
        #expect(throws: ArgumentError.self) { try Arguments(["--size", "721p"]) }
        #expect(throws: ArgumentError.self) { try Arguments(["--turns", "0"]) }
        #expect(throws: ArgumentError.self) { try Arguments(["W9"]).check(against: ["W1"]) }
    }
}

@Suite("Pictures and tables of colours")
struct InputTests {
    private static let size = FrameSize(width: 4, height: 2)
    private static let frame = [UInt8](0..<8) + [10, 11, 20, 21]

    @Test("I420 becomes NV12 with its chroma in pairs")
    func nv12() {
        #expect(
            Repacking.repack(Self.frame[...], Self.size, to: .nv12) == [UInt8](0..<8) + [10, 20, 11, 21])
    }

    @Test("I420 becomes YUYV, each row of chroma twice")
    func yuyv() {
        #expect(
            Repacking.repack(Self.frame[...], Self.size, to: .yuyv)
                == [0, 10, 1, 20, 2, 11, 3, 21, 4, 10, 5, 20, 6, 11, 7, 21])
    }

    @Test("a frame of another length is refused")
    func wrongLength() { #expect(Repacking.repack(Self.frame.dropLast(), Self.size, to: .nv12) == nil) }

    @Test("a mask covers the middle by its opacity, and the corners not at all")
    func mask() {
        let bytes = CornerMask(width: 180, height: 320).bytes
        #expect(bytes.count == 180 * 320)
        #expect(bytes[160 * 180 + 90] == 204)
        #expect(bytes[0] == 0 && bytes[bytes.count - 1] == 0)
    }

    @Test(
        "steps at their identity leave a colour as it is",
        arguments: [
            ColorStep.brightness(0), .contrast(1), .saturation(1), .hue(0), .sepia(0), .gamma(1), .exposure(0),
            .vibrance(0), .curve([0, 0.25, 0.5, 0.75, 1]), .balance(0),
        ])
    func identity(step: ColorStep) throws {
        let color = SIMD3(0.2, 0.5, 0.9)
        let result = try #require(step.apply(to: color)) - color
        #expect((result * result).sum() < 1e-12)
    }

    @Test("hues turn and greys stay")
    func hue() throws {
        let grey = try #require(ColorStep.hue(90).apply(to: SIMD3(repeating: 0.5))) - 0.5
        #expect((grey * grey).sum() < 1e-9)
        let red = try #require(ColorStep.hue(120).apply(to: SIMD3(1, 0, 0)))
        #expect(red.y > red.x)
    }

    @Test("a cube has an entry a colour, red fastest")
    func cube() {
        let lines = ColorCube.text([.brightness(0)]).split(separator: "\n")
        #expect(lines.count == 1 + 33 * 33 * 33)
        #expect(lines[0] == "LUT_3D_SIZE 33")
        #expect(lines[2] == "0.031250 0.000000 0.000000")
    }
}
