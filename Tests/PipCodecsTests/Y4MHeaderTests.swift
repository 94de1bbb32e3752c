import PipCodecs
import PipFrames
import PipTestSupport
import Testing

@Suite struct Y4MHeaderTests {
    private func parse(_ line: String) throws -> Y4MHeader {
        try y4mHeader(Array(line.utf8), "clip.y4m")
    }

    @Test("a line as FFmpeg writes it is read")
    func ffmpeg() throws {
        let header = try parse("YUV4MPEG2 W1280 H720 F30000:1001 Ip A1:1 C420mpeg2 XYSCSS=420MPEG2 XCOLORRANGE=LIMITED")
        #expect(header.size == PixelSize(1280, 720))
        #expect(header.rate == FrameRate(30000, per: 1001))
        #expect(header.samples == Y4MSamples(.yuv420, siting: .left))
        #expect(header.colorimetry.chromaSiting == .left)
        #expect(header.colorimetry.range == .limited)
        #expect(header.colorimetry.matrix == .bt709)
        #expect(!header.isInterlaced)
    }

    @Test(
        "the sampling tag names the format and the chroma siting",
        arguments: [
            ("420jpeg", PixelFormat.i420, ChromaSiting.center), ("420", .i420, .center), ("420mpeg2", .i420, .left),
            ("420paldv", .i420, .topLeft), ("mono", .gray, .center), ("422", .nv16, .left), ("411", .nv16, .left),
            ("444", .bgrx, .center), ("444alpha", .bgra, .center), ("420p10", .i420, .left), ("422p9", .nv16, .left),
            ("444p16", .bgrx, .center), ("mono12", .gray, .center),
        ])
    func sampling(tag: String, format: PixelFormat, siting: ChromaSiting) throws {
        let header = try parse("YUV4MPEG2 W4 H4 F25:1 C\(tag)")
        #expect(header.layout().format == format)
        #expect(header.colorimetry.chromaSiting == siting)
    }

    @Test(
        "a tag names sampling and depth, and is written as it was read",
        arguments: Y4MSamples.Sampling.allCases, [8, 9, 10, 12, 14, 16])
    func tags(sampling: Y4MSamples.Sampling, bits: Int) {
        guard sampling != .yuv411 && sampling != .yuv444alpha || bits == 8 else { return }
        let siting: ChromaSiting = [.yuv411, .yuv420, .yuv422].contains(sampling) ? .left : .center
        let samples = Y4MSamples(sampling, bits: bits, siting: siting)
        #expect(Y4MSamples(samples.tag) == samples, "\(samples.tag)")
        #expect((samples.note == nil) == (bits == 8))
    }

    @Test("XYSCSS tells the samples where C does not")
    func alternative() throws {
        #expect(try parse("YUV4MPEG2 W4 H4 XYSCSS=422").samples.sampling == .yuv422)
        #expect(try parse("YUV4MPEG2 W4 H4 XYSCSS=420MPEG2").samples.siting == .left)
        #expect(try parse("YUV4MPEG2 W4 H4 XYSCSS=422 C444").samples.sampling == .yuv444)
        #expect(try parse("YUV4MPEG2 W4 H4 XYSCSS=NEW").samples.sampling == .yuv420)
    }

    @Test("RGB that is made of 4:4:4 has the full range")
    func delivered() throws {
        let header = try parse("YUV4MPEG2 W4 H4 C444 XCOLORRANGE=LIMITED")
        #expect(header.colorimetry.range == .limited)
        #expect(header.deliveredColorimetry.range == .full)
    }

    @Test(
        "a frame's bytes in the file follow sampling, depth and size, odd ones rounded up",
        arguments: [
            ("mono", 35), ("411", 35 + 2 * 2 * 7), ("420", 35 + 2 * 3 * 4), ("422", 35 + 2 * 3 * 7), ("444", 105),
            ("444alpha", 140), ("420p10", 118), ("mono16", 70),
        ])
    func byteCount(tag: String, bytes: Int) {
        #expect(Y4MSamples(tag)?.byteCount(of: PixelSize(5, 7)) == bytes)
    }

    @Test("small pictures are BT.601, full range where the tag says so, 25 a second where the rate is not known")
    func defaults() throws {
        let header = try parse("YUV4MPEG2 W720 H576 F0:0 XCOLORRANGE=FULL Im")
        #expect(header.colorimetry.matrix == .bt601)
        #expect(header.colorimetry.range == .full)
        #expect(header.rate == FrameRate(25))
        #expect(header.isInterlaced)
    }

    @Test(
        "a header line that is written is parsed again",
        arguments: [
            Y4MHeader(
                size: PixelSize(1919, 1081), rate: FrameRate(60000, per: 1001), format: .i420, colorimetry: .bt709),
            Y4MHeader(
                size: PixelSize(1, 1), rate: FrameRate(1), format: .gray, colorimetry: .bt601, isInterlaced: true),
            Y4MHeader(
                size: PixelSize(640, 480), rate: FrameRate(25, per: 2), format: .i420,
                colorimetry: Colorimetry(
                    matrix: .bt601, range: .full, primaries: .smpte170m, chromaSiting: .topLeft)),
        ])
    func roundTrip(header: Y4MHeader) throws {
        #expect(try parse(String(header.line.dropLast())) == header)
        #expect(header.line.hasSuffix("\n"))
    }

    @Test("a rate whose fraction is too fine is rounded, so that times fit their type")
    func fineRate() throws {
        let header = try parse("YUV4MPEG2 W4 H4 F299999999:9999999")
        #expect(abs(header.rate.framesPerSecond - 30) < 0.001)
        #expect(header.rate.frames * header.rate.seconds < 1_000_000_000)
    }

    @Test(
        "an invalid header line is refused, with the offset of the invalid byte",
        arguments: [
            ("", 0), ("RIFF", 0), ("YUV4MPEG", 0), ("YUV4MPEG2W4", 9), ("YUV4MPEG2 W4", 12), ("YUV4MPEG2 H4", 12),
            ("YUV4MPEG2 W H4", 10), ("YUV4MPEG2 W-4 H4", 10), ("YUV4MPEG2 W4x H4", 10), ("YUV4MPEG2  W4 H4", 10),
            ("YUV4MPEG2 W99999999999999999999 H4", 10), ("YUV4MPEG2 W4 H4 F30", 16), ("YUV4MPEG2 W4 H4 F0:1", 16),
            ("YUV4MPEG2 W4 H4 F1:0", 16), ("YUV4MPEG2 W4 H4 F9999999:1", 16), ("YUV4MPEG2 W4 H4 F1:99999", 16),
            ("YUV4MPEG2 W4 H4 Ix", 16), ("YUV4MPEG2 W4 H4 XCOLORRANGE=WIDE", 16), ("YUV4MPEG2 W4\u{1} H4", 12),
        ])
    func refused(line: String, byte: Int) {
        let error = #expect(throws: CodecError.self) { try parse(line) }
        #expect(error?.kind == .damaged)
        #expect(error?.position == .byte(byte))
    }

    @Test(
        "sizes of nothing and sizes above the limits are refused",
        arguments: ["W0 H4", "W4 H0", "W16385 H1", "W16384 H16384"])
    func sizes(tags: String) {
        #expect(throws: CodecError.self) { try parse("YUV4MPEG2 \(tags) F25:1") }
    }

    @Test(
        "other samplings are refused, with those that are read and the command that converts",
        arguments: ["", "440", "420p", "420p8", "420p17", "420p010", "444alphap10", "411p10", "mono8", "mono1", "p10"])
    func samplings(tag: String) {
        let error = #expect(throws: CodecError.self) { try parse("YUV4MPEG2 W4 H4 F25:1 C\(tag)") }
        #expect(error?.kind == .unsupported)
        #expect(error?.description.contains("444alpha, and with 9 to 16 bits as 420p10") == true)
        #expect(error?.description.contains("ffmpeg -i") == true)
    }

    @Test("broken header lines are refused or parsed, and never crash the parser")
    func fuzz() {
        var dice = Dice(7)
        let original = Array("YUV4MPEG2 W1280 H720 F30000:1001 Ip A1:1 C420mpeg2 XCOLORRANGE=LIMITED".utf8)
        for _ in 0..<2000 {
            var bytes = original
            for _ in 0..<Int.random(in: 1...3, using: &dice) {
                bytes[Int.random(in: 0..<bytes.count, using: &dice)] = UInt8.random(in: 0...255, using: &dice)
            }
            _ = try? y4mHeader(bytes.prefix(Int.random(in: 0...bytes.count, using: &dice)), "x")
        }
    }
}
