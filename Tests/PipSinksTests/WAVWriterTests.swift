import Foundation
import PipConcurrency
import PipFrames
import PipSound
import PipTestSupport
import Testing

@testable import PipSinks

@Suite struct WAVWriterTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A block of a hundredth of a second, with a ramp from -0.5 to 0.5.
    private func block(_ format: AudioFormat) -> AudioBlock {
        let count = format.rate / 100 * format.channels
        return AudioBlock(format, samples: (0..<count).map { Float($0) / Float(count) - 0.5 })
    }

    private func write(
        _ seconds: Double, _ format: AudioFormat, _ coding: WAVHeader.Coding, finish: Bool = true
    ) throws -> WAVWriter {
        let writer = WAVWriter(.path(folder.path("out.wav")), format: format, coding: coding)
        try writer.open()
        for _ in 0..<Int(seconds * 100) { try writer.write(block(format)) }
        if finish { try writer.finish() }
        return writer
    }

    @Test("a file has a header and all samples", arguments: WAVHeader.Coding.allCases)
    func file(coding: WAVHeader.Coding) throws {
        _ = try write(0.02, .stereo, coding)
        let bytes = try folder.read("out.wav")
        let size = 960 * 2 * coding.bytesPerSample
        var header: [UInt8] = []
        WAVHeader(.stereo, coding, dataBytes: size).write(into: &header)
        #expect(bytes.count == header.count + size)
        #expect(Array(bytes[..<header.count]) == header)
    }

    @Test("a file without sound is valid", .enabled(if: FFmpeg.isThere, "needs ffmpeg"))
    func empty() throws {
        _ = try write(0, .mono, .int16)
        #expect(try FFmpeg.probe(folder.path("out.wav"), "sample_rate,channels") == ["48000", "1"])
    }

    @Test(
        "ffprobe reads format and length", .enabled(if: FFmpeg.isThere, "needs ffmpeg"),
        arguments: [(WAVHeader.Coding.int16, "pcm_s16le"), (.float32, "pcm_f32le")], [1, 2, 6])
    func ffprobe(coding: (WAVHeader.Coding, String), channels: Int) throws {
        _ = try write(1.5, AudioFormat(channels: channels), coding.0)
        let fields = try FFmpeg.probe(folder.path("out.wav"), "codec_name,sample_rate,channels,duration")
        #expect(fields == [coding.1, "48000", "\(channels)", "1.500000"])
    }

    @Test("ffmpeg decodes the samples that were written", .enabled(if: FFmpeg.isThere, "needs ffmpeg"))
    func ffmpeg() throws {
        _ = try write(0.01, .stereo, .float32)
        let samples = block(.stereo).samples
        let bytes = try FFmpeg.output(["-i", folder.path("out.wav"), "-f", "f32le", "-"])
        let decoded = stride(from: 0, to: bytes.count, by: 4).map {
            Float(bitPattern: UInt32(truncatingIfNeeded: bytes.littleEndian(4, at: $0)))
        }
        #expect(decoded == samples)
    }

    @Test("a file whose writer was killed plays except for the last half second")
    func killed() throws {
        // The writer's process buffers nothing, so the present file equals the file of a killed process.
        let writer = try write(10.9, .stereo, .int16, finish: false)
        let bytes = try folder.read("out.wav")
        let header = WAVHeader(.stereo, .int16, dataBytes: 0).byteCount
        #expect(bytes.count == header + 10 * 192_000 + 172_800)
        let told = bytes.littleEndian(4, at: header - 4)
        #expect(told > bytes.count - header - 96_000 && told <= bytes.count - header)
        #expect(bytes.littleEndian(4, at: 4) == told + header - 8)
        if FFmpeg.isThere {
            let duration = try FFmpeg.probe(folder.path("out.wav"), "duration")[0]
            #expect((Double(duration) ?? 0) > 10.4)
        }
        try writer.finish()
        #expect(try folder.read("out.wav").littleEndian(4, at: header - 4) == 10 * 192_000 + 172_800)
    }

    @Test("a file of 5 GB has its length in RF64", .enabled(if: FFmpeg.isThere, "needs ffmpeg"))
    func rf64() throws {
        var header: [UInt8] = []
        WAVHeader(.stereo, .float32, dataBytes: 5_000_000_000).write(into: &header)
        try folder.write(header, to: "long.wav")
        // The file is sparse, and takes no space on the disk.
        #expect(unsafe truncate(folder.path("long.wav"), 5_000_000_000 + header.count) == 0)
        #expect(try FFmpeg.probe(folder.path("long.wav"), "duration") == ["13020.833333"])
    }

    @Test("a pipe gets a stream with unknown sizes")
    func pipe() throws {
        let path = try folder.pipe("pipe.wav")
        let writer = WAVWriter(.path(path), format: .mono)
        let reading = Thread.reading(path)
        try writer.open()
        try writer.write(block(.mono))
        try writer.finish()
        let bytes = reading()
        var header: [UInt8] = []
        WAVHeader(.mono, .int16, dataBytes: nil).write(into: &header)
        #expect(Array(bytes.prefix(header.count)) == header && bytes.count == header.count + 960)
    }

    @Test("blocks of another format are refused, and a missing folder is named")
    func refusals() throws {
        let writer = WAVWriter(.path(folder.path("out.wav")), format: .mono)
        try writer.open()
        let error = #expect(throws: SinkError.self) { try writer.write(block(.stereo)) }
        #expect(error?.description.contains("blocks must be 48000 Hz mono, not 48000 Hz stereo") == true)
        let nowhere = WAVWriter(.path(folder.path("a/b.wav")), format: .mono)
        #expect(throws: SinkError.self) { try nowhere.open() }
    }

    @Test("a file whose header cannot be updated is closed")
    func closed() throws {
        let writer = try write(0.01, .mono, .int16, finish: false)
        let descriptor = try #require(descriptors(of: "out.wav").first)
        // Writing to a descriptor that is open only for reading fails.
        let readOnly = unsafe open(folder.path("out.wav"), O_RDONLY)
        #expect(dup2(readOnly, descriptor) == descriptor)
        #expect(close(readOnly) == 0)
        let error = #expect(throws: SinkError.self) { try writer.finish() }
        #expect(error?.operation == "update its header")
        #expect(descriptors(of: "out.wav").isEmpty)
        // The writer outlives its closed file.
        withExtendedLifetime(writer) {}
    }

    /// This process's descriptors of a file in the test's folder.
    private func descriptors(of name: String) -> [Int32] {
        let numbers = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        return numbers.compactMap { Int32($0) }.filter { number in
            let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(number)")
            return path?.hasSuffix("\(folder.url.lastPathComponent)/\(name)") == true
        }
    }

    @Test("a full disk ends the file with a whole block, and the header has its size")
    func fullDisk() throws {
        var reserve = DiskReserve()
        let writer = WAVWriter(.path(folder.path("out.wav")), format: .mono, reserve: reserve)
        try writer.open()
        try writer.write(block(.mono))
        try writer.finish()
        (reserve.stopBelow, reserve.stopDivisor) = (.max, 1)
        let full = WAVWriter(.path(folder.path("full.wav")), format: .mono, reserve: reserve)
        let error = #expect(throws: SinkError.self) { try full.open() }
        #expect(error?.description.contains("the disk is full") == true)
        try full.finish()
    }
}

/// FFmpeg's programs, which check the written files.
private enum FFmpeg {
    static let isThere = ["ffmpeg", "ffprobe"].allSatisfy {
        FileManager.default.isExecutableFile(atPath: "/usr/bin/\($0)")
    }

    /// Fields of the file's only stream, in the order in which ffprobe prints them.
    static func probe(_ path: String, _ fields: String) throws -> [String] {
        let output = try runToEnd([
            "ffprobe", "-v", "error", "-show_entries", "stream=\(fields)", "-of", "csv=p=0", path,
        ])
        return String(decoding: output, as: UTF8.self).split(whereSeparator: { ",\n".contains($0) }).map(String.init)
    }

    static func output(_ arguments: [String]) throws -> [UInt8] {
        [UInt8](try runToEnd(["ffmpeg", "-v", "error"] + arguments))
    }
}

extension Thread {
    /// Starts reading a pipe on another thread.
    ///
    /// The returned function waits for the end of the pipe, and returns all bytes.
    fileprivate static func reading(_ path: String) -> () -> [UInt8] {
        let (bytes, ended) = (Monitor([UInt8]()), DispatchSemaphore(value: 0))
        Thread {
            let data = (try? FileHandle(forReadingAtPath: path)?.readToEnd()) ?? Data()
            bytes.update { $0 = [UInt8](data) }
            ended.signal()
        }.start()
        return {
            ended.wait()
            return bytes.update { $0 }
        }
    }
}
