import Foundation
import Glibc
import PipConcurrency
import PipSound
import PipTestSupport
import Testing

@testable import PipSources

@Suite struct WAVReaderTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func number(_ value: Int, _ bytes: Int) -> [UInt8] {
        (0..<bytes).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    private func chunk(_ id: String, _ contents: [UInt8], size: Int? = nil) -> [UInt8] {
        Array(id.utf8) + number(size ?? contents.count, 4) + contents
            + (contents.count.isMultiple(of: 2) ? [] : [0])
    }

    /// The format chunk of 16-bit mono at 8 kHz.
    private var format: [UInt8] {
        chunk("fmt ", number(1, 2) + number(1, 2) + number(8000, 4) + number(16_000, 4) + number(2, 2) + number(16, 2))
    }

    private func file(_ chunks: [UInt8], kind: String = "RIFF") throws -> String {
        try folder.file("a.wav", Array(kind.utf8) + number(4 + chunks.count, 4) + Array("WAVE".utf8) + chunks)
    }

    /// The bytes of 16-bit samples that count up from 1.
    private func counted(_ count: Int) -> [UInt8] { (1...count).flatMap { number($0, 2) } }

    /// The samples of all frames, read in blocks of seven frames.
    private func samples(_ reader: WAVReader) throws -> [Int] {
        var samples: [Int] = []
        var block = AudioBlock(reader.format, frames: 7)
        while true {
            let count = try reader.read(into: &block)
            samples += block.channel(0)[..<count].map { Int(($0 * 32768).rounded()) }
            if count < 7 { return samples }
        }
    }

    @Test("samples are read to the end of their chunk, and other chunks are skipped")
    func chunks() throws {
        let path = try file(
            chunk("LIST", Array("INFO?".utf8)) + format + chunk("junk", [1]) + chunk("data", counted(20))
                + chunk("tail", [9, 9, 9, 9]))
        let reader = try WAVReader(path: path)
        #expect(reader.format == (try AudioFormat(rate: 8000, channels: 1)))
        #expect(reader.frames == 20 && reader.coding == .signed16)
        #expect(try samples(reader) == Array(1...20))
        try reader.rewind()
        #expect(try samples(reader) == Array(1...20))
    }

    @Test("an opening that is cancelled later does not cancel the reading")
    func cancelledLater() throws {
        let opening = Interruption()
        let reader = try WAVReader(path: try file(format + chunk("data", counted(20))), opening: opening)
        opening.raise()
        #expect(try samples(reader) == Array(1...20))
    }

    @Test("the rest of a block after the last frame is silence")
    func silence() throws {
        let reader = try WAVReader(path: try file(format + chunk("data", counted(3))))
        var block = AudioBlock(reader.format, samples: Array(repeating: 1, count: 5))
        #expect(try reader.read(into: &block) == 3)
        #expect(block.samples[3...] == [0, 0])
    }

    @Test("a truncated recording is read as far as it goes", arguments: [0, 1000, 0xffff_ffff])
    func cutOff(size: Int) throws {
        let reader = try WAVReader(path: try file(format + chunk("data", counted(10) + [7], size: size)))
        #expect(reader.frames == 11)
        #expect(try samples(reader).prefix(10) == Array(1...10)[...])
    }

    @Test("an RF64 file has its size in ds64", arguments: ["RF64", "BW64"])
    func rf64(kind: String) throws {
        let sizes = number(0, 8) + number(8, 8) + number(4, 8) + number(0, 4)
        let path = try file(
            chunk("ds64", sizes) + format + chunk("data", counted(10), size: 0xffff_ffff), kind: kind)
        #expect(try samples(try WAVReader(path: path)) == [1, 2, 3, 4])
    }

    @Test("a pipe is read like a file, and cannot be rewound")
    func pipe() async throws {
        let path = try folder.pipe("pipe.wav")
        let bytes = try [UInt8](
            Data(
                contentsOf: URL(
                    filePath: try file(
                        chunk("junk", Array(repeating: 1, count: 100_000)) + format + chunk("data", counted(20))))))
        let writer = Thread {
            let handle = FileHandle(forWritingAtPath: path)
            try? handle?.write(contentsOf: Data(bytes))
            try? handle?.close()
        }
        writer.start()
        let reader = try WAVReader(path: path)
        #expect(reader.frames == 20)
        #expect(try samples(reader) == Array(1...20))
        #expect(throws: SourceError.self) { try reader.rewind() }
    }

    @Test("a file that is not a WAV file is refused with an error message")
    func refusals() throws {
        let cases: [([UInt8], String)] = [
            (Array("RIFX0000WAVE".utf8), "big-endian"), (Array("ID3 aaaaaaaaaaaa".utf8), "does not begin with RIFF"),
            ([], "it ends after 0 bytes"),
            (Array("RIFF0000WAVE".utf8) + format, "it ends after 36 bytes, before its samples"),
            (Array("RIFF0000WAVE".utf8) + chunk("data", [1, 2]), "before their format"),
            (Array("RIFF0000WAVE".utf8) + chunk("fmt ", [1, 2]), "its fmt chunk has 2 bytes"),
            (Array("RIFF0000WAVE".utf8) + chunk("fmt ", [], size: 1 << 30), "claims 1073741824 bytes"),
            (Array("RIFF0000WAVE".utf8) + chunk("LIST", [], size: 1 << 30), "before its samples"),
            (Array("RIFF0000WAVE".utf8) + (0..<1000).flatMap { _ in chunk("LIST", []) }, "first 1000 chunks"),
        ]
        for (bytes, words) in cases {
            let path = try folder.file("b.wav", bytes)
            let error = #expect(throws: SourceError.self) { _ = try WAVReader(path: path) }
            #expect(error?.kind == .damaged)
            #expect(error?.description.contains(words) == true, "\(error?.description ?? "") lacks \(words)")
        }
    }
}
