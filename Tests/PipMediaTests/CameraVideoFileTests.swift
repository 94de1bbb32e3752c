#if Media
import PipFrames
import PipTestSupport
import Testing

@testable import PipCompose
@testable import PipMedia

/// Tests files of cameras that send H.264 or H.265.
@Suite("A camera's video in a file", .timeLimit(.minutes(5)))
struct CameraVideoFileTests {
    /// The checksums of all decoded pictures of the files.
    private func sums(_ folder: TemporaryFolder, _ names: [String]) throws -> [String] {
        try names.flatMap { name in
            try runProgram([
                "ffmpeg", "-v", "error", "-i", folder.path(name), "-fps_mode", "passthrough", "-f", "framemd5", "-",
            ]).split(separator: "\n").filter { !$0.hasPrefix("#") }.compactMap {
                $0.split(separator: ",").last.map(String.init)
            }
        }
    }

    @Test(
        "a file has the camera's own pictures, and each file begins with a key picture",
        arguments: [(AnnexB.h264, "mp4"), (.h264, "mkv"), (.h265, "mp4"), (.h264, "ts")])
    fileprivate func written(_ coding: AnnexB, _ ending: String) async throws {
        let rig = try RecordingRig(coding == .h264 ? "H264" : "HEVC", CameraVideoTests.size)
        let units = try CameraVideoTests.units(coding, count: 60)
        let output =
            rig.camera --> CameraFile(rig.folder.path("a-%03d.\(ending)"), segments: .duration(.seconds(1)))
        _ = try await rig.run { _ in
            for (index, unit) in units.enumerated() {
                _ = rig.deliver([.compressed(unit)])
                try #require(await becomes { output.statistics.written + 30 >= index }, "\(output.statistics)")
            }
        }
        #expect(output.statistics.written == 60 && output.statistics.encoder == nil, "\(output.statistics)")
        let names = try rig.folder.names.sorted()
        // A second passes within 30 pictures, but a new file can begin only with the next key picture, the 31st.
        #expect(names.count == 2, "\(names)")
        for name in names { #expect(try Probe(rig.folder.path(name)).beginsWithKey) }
        try rig.folder.write(units.flatMap { $0 }, to: "sent.\(coding.name)")
        #expect(try sums(rig.folder, names) == sums(rig.folder, ["sent.\(coding.name)"]))
    }

    @Test("video is encoded anew where the file cannot hold it, or on request")
    func encoded() async throws {
        let units = try CameraVideoTests.units(.h264, count: 20)
        for (name, encoding) in [("a.webm", nil), ("a.mp4", VideoEncoding(.h264, rate: .quality(80)))] {
            let rig = try RecordingRig("H264", CameraVideoTests.size)
            let output = rig.camera --> CameraFile(rig.folder.path(name), encoding: encoding)
            _ = try await rig.run { session in
                for unit in units { _ = rig.deliver([.compressed(unit)]) }
                #expect(await becomes { session.statistics.sources.contains { $0.delivered >= 10 } })
            }
            #expect(
                output.statistics.encoder != nil && output.statistics.written >= 10, "\(name): \(output.statistics)")
        }
    }

    @Test(
        "pictures after a missing one are left out until the next key picture, which gets its parameter sets")
    func missing() throws {
        let units = try CameraVideoTests.units(.h264, count: 30)
        var packets = VideoPackets()
        let layout = FrameLayout(.nv12, CameraVideoTests.size)
        func packet(_ index: Int, _ bytes: [UInt8]) -> Packet? {
            var info = FrameInfo(layout: layout, colorimetry: .bt601)
            info.sequence = UInt64(index)
            return packets.packet(bytes, in: FourCC("H264"), of: info, rate: FrameRate(30))
        }
        let taken = units.indices.filter { $0 != 13 }.filter { packet($0, units[$0]) != nil }
        #expect(taken == Array(0..<13) + Array(20..<30))
        packets.interrupt()
        #expect(packet(31, units[1]) == nil)
        // The parameter sets of this key picture came only once, at the beginning.
        let parameters = AnnexB.h264.parameters(in: units[0])
        let bare = Array(units[20].dropFirst(6 + AnnexB.h264.parameters(in: units[20]).count))
        #expect(parameters.count > 20 && AnnexB.h264.parameters(in: bare).isEmpty)
        let whole = try #require(packet(32, bare))
        #expect(whole.isKey && whole.byteCount == parameters.count + bare.count)
    }
}
#endif
