package import PipConcurrency
package import PipSound

/// Reads the sound of a WAV or RF64 file, or of a pipe, from its beginning to its end.
package final class WAVReader {
    package let name: String
    package let format: AudioFormat
    package let coding: SampleCoding
    /// The number of frames in the file; nil for a stream without a known end.
    package let frames: Int?
    private var file: InputFile
    /// The offset of the first sample.
    ///
    /// Units: bytes.
    private let start: Int
    private let bytesPerFrame: Int
    private var framesRead = 0
    private var bytes: [UInt8] = []

    /// Opens a file and reads up to its first sample.
    ///
    /// Blocks until the writer of a pipe has written the header, or the interruption is raised.
    ///
    /// - Parameters:
    ///   - path: A file, a named pipe, or `-` for the standard input.
    ///   - interruption: The interruption that cancels waits for a pipe.
    ///   - opening: The interruption that cancels the wait for the first sample; nil uses `interruption`.
    /// - Throws: ``SourceError`` when the file cannot be opened or is not a supported WAV file, or when the wait for
    ///   the
    ///   header is interrupted.
    package init(
        path: String, interruption: Interruption = Interruption(), opening: Interruption? = nil
    ) throws(SourceError) {
        var file = try InputFile(path: path, interruption: opening ?? interruption)
        var chunks = WAVChunks()
        let found = try chunks.findData(in: file)
        file.interruption = interruption
        name = file.name
        format = found.format
        coding = found.coding
        bytesPerFrame = found.bytesPerFrame
        start = chunks.offset
        // A truncated recording holds less than its header states.
        let present = file.size.map { max(0, $0 - chunks.offset) }
        let held = [present, chunks.dataBytes].compactMap { $0 }.min()
        frames = held.map { $0 / found.bytesPerFrame }
        self.file = file
    }

    /// Reads the next frames.
    ///
    /// - Parameter block: A block in the file's format. Frames beyond the end of the file become silence.
    /// - Returns: The number of frames read; less than the block's length only at the end or when interrupted.
    /// - Throws: ``SourceError`` when reading fails, or the block has another format.
    package func read(into block: inout AudioBlock) throws(SourceError) -> Int {
        guard block.format == format else {
            throw SourceError(name, "read", .failed, "blocks must be \(format), not \(block.format)")
        }
        let wanted = frames.map { min(block.frames, $0 - framesRead) } ?? block.frames
        if bytes.count != block.frames * bytesPerFrame {
            bytes = Array(repeating: 0, count: block.frames * bytesPerFrame)
        }
        let count = try file.read(into: &bytes, count: wanted * bytesPerFrame, "read its samples") / bytesPerFrame
        block.clear()
        block.decode(bytes, frames: count, coding)
        framesRead += count
        return count
    }

    /// Rewinds to the first frame.
    ///
    /// Only files can be rewound.
    ///
    /// - Throws: ``SourceError`` for a pipe, or when seeking fails.
    package func rewind() throws(SourceError) {
        try file.requireLoop()
        try file.seek(to: start)
        framesRead = 0
    }
}

/// Reads the chunks of a WAV file up to its samples.
private struct WAVChunks {
    /// The number of bytes read or skipped so far.
    private(set) var offset = 0
    /// The number of bytes of samples; nil when the samples last until the end of the file.
    private(set) var dataBytes: Int?
    /// The number of bytes of samples from the `ds64` chunk of an RF64 file; nil without this chunk.
    private var longDataBytes: Int?
    private var format: WAVFormat?

    /// The most chunks before the samples that a file may have.
    private static let mostChunks = 1000

    /// Reads up to the first sample, and returns the format of the samples.
    mutating func findData(
        in file: borrowing InputFile
    ) throws(SourceError) -> WAVFormat {
        let head = try read(12, file)
        let kind = String(decoding: head[..<4], as: UTF8.self)
        guard ["RIFF", "RF64", "BW64"].contains(kind), head[8...].elementsEqual("WAVE".utf8) else {
            let reason = kind == "RIFX" ? "its numbers are big-endian (RIFX)" : "it does not begin with RIFF and WAVE"
            throw SourceError(file.name, "read", .damaged, "no supported WAV file: \(reason)")
        }
        for _ in 0..<Self.mostChunks {
            let chunk = try read(8, file)
            let (id, size) = (String(decoding: chunk[..<4], as: UTF8.self), chunk.littleEndian(4, at: 4))
            switch id {
            case "data": return try beginData(size, file)
            case "fmt ": try readFormat(size, file)
            case "ds64" where size >= 16 && size <= WAVFormat.longestChunk:
                longDataBytes = try read(size + size % 2, file).littleEndian(8, at: 8)
            default: try skip(size + size % 2, file)
            }
        }
        throw SourceError(file.name, "read", .damaged, "it has no samples in its first \(Self.mostChunks) chunks")
    }

    private mutating func beginData(_ size: Int, _ file: borrowing InputFile) throws(SourceError) -> WAVFormat {
        guard let format else {
            throw SourceError(file.name, "read", .damaged, "its samples come before their format (fmt)")
        }
        let isOpen = size == Int(UInt32.max)
        dataBytes = isOpen ? longDataBytes : size
        // A recorder that was interrupted leaves a size of zero.
        if dataBytes == 0 { dataBytes = nil }
        return format
    }

    private mutating func readFormat(
        _ size: Int, _ file: borrowing InputFile
    ) throws(SourceError) {
        guard size <= WAVFormat.longestChunk else {
            throw SourceError(
                file.name, "read", .damaged,
                "its fmt chunk claims \(size) bytes, but may have at most \(WAVFormat.longestChunk)")
        }
        let contents = try read(size + size % 2, file)
        do throws(SoundError) {
            format = try WAVFormat(Array(contents[..<size]), subject: file.name)
        } catch {
            throw SourceError(file.name, "read", .damaged, error.reason)
        }
    }

    private mutating func read(
        _ count: Int, _ file: borrowing InputFile
    ) throws(SourceError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let done = try file.read(into: &bytes, count: count, "read its header")
        if file.interruption.isRaised {
            throw SourceError(file.name, "read its header", .failed, "reading was stopped before the header came")
        }
        guard done == count else {
            throw SourceError(file.name, "read", .damaged, "it ends after \(offset + done) bytes, before its samples")
        }
        offset += count
        return bytes
    }

    private mutating func skip(
        _ count: Int, _ file: borrowing InputFile
    ) throws(SourceError) {
        if let size = file.size {
            guard offset + count <= size else {
                throw SourceError(file.name, "read", .damaged, "it ends after \(size) bytes, before its samples")
            }
            offset += count
            return try file.seek(to: offset)
        }
        var left = count
        while left > 0 {
            let part = min(left, 1 << 16)
            _ = try read(part, file)
            left -= part
        }
    }
}
