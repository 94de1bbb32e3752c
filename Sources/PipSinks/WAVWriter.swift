internal import PipCodecs
package import PipConcurrency
package import PipSound

/// Writes sound as a WAV file, or as a WAV stream to a pipe.
///
/// A file's header is updated after every half second of sound, so that an interrupted recording can be played. Above
/// 4 GiB the file becomes an RF64 file.
///
/// Thread: any, but one at a time.
package final class WAVWriter {
    package let name: String
    package let format: AudioFormat
    private let destination: OutputDestination
    private let reserve: DiskReserve
    private let interruption: Interruption
    private var header: WAVHeader
    private var headerBytes: [UInt8] = []
    private var file: OutputFile?
    private var hasHeader = false
    private var vectors = FrameVectors()
    private let encoded = ByteBuffer()
    private var dataBytes = 0
    /// The number of bytes of sound that the file's header states.
    private var statedBytes = 0

    /// - Parameters:
    ///   - destination: The file, pipe or standard output.
    ///   - format: The format of the blocks.
    ///   - coding: The encoding of the samples in the file.
    ///   - reserve: The free space to leave on the disk.
    ///   - interruption: The interruption that cancels waits for a pipe.
    package init(
        _ destination: OutputDestination, format: AudioFormat, coding: WAVHeader.Coding = .int16,
        reserve: DiskReserve = DiskReserve(), interruption: Interruption = Interruption()
    ) {
        self.destination = destination
        self.format = format
        self.reserve = reserve
        self.interruption = interruption
        name = destination.name
        header = WAVHeader(format, coding, dataBytes: 0)
    }

    /// Creates the file with its header, or opens the pipe.
    ///
    /// The first write, not this call, waits for the reader of a pipe.
    ///
    /// - Throws: ``SinkError`` when the destination cannot be opened, or the header cannot be written.
    package func open() throws(SinkError) {
        let file = try OutputFile(destination, interruption: interruption, reserve: reserve, unit: "block")
        // The end of a stream is unknown, so its header states the largest sizes.
        if !file.isRewritable { header.dataBytes = nil }
        let isConnected = file.isConnected
        self.file = consume file
        header.write(into: &headerBytes)
        if isConnected { try writeHeader() }
    }

    /// Writes a block of sound.
    ///
    /// Blocks until the disk or the pipe has taken the block.
    ///
    /// - Throws: ``SinkError``; a file then ends with the last whole block.
    package func write(_ block: AudioBlock) throws(SinkError) {
        guard block.format == format else {
            throw SinkError(name, "write", .failed, "blocks must be \(format), not \(block.format)")
        }
        if !hasHeader { try writeHeader() }
        let bytes = block.frames * header.bytesPerFrame
        encode(block, bytes)
        vectors.removeAll()
        vectors.append(encoded)
        try file?.write(&vectors)
        dataBytes += bytes
        if dataBytes - statedBytes >= format.rate * header.bytesPerFrame / 2 { try updateHeader() }
    }

    /// Starts to flush written data to the disk; with `isThorough`, blocks until the disk has all of the data.
    ///
    /// Has no effect unless the writer has opened a regular file.
    ///
    /// - Throws: ``SinkError`` when the disk has refused data that was written before.
    package func sync(isThorough: Bool = false) throws(SinkError) { try file?.sync(isThorough: isThorough) }

    /// Flushes the file and its name to the disk; has no effect unless the writer has opened a regular file.
    package func keepName() { file?.keepName() }

    /// Completes the header and closes the file; must be called after an error, too.
    ///
    /// - Throws: ``SinkError`` when the header cannot be updated, or when the system reports an earlier failed write
    ///   only at this point.
    package func finish() throws(SinkError) {
        // The file is closed even when its header cannot be updated.
        defer { file = nil }
        if hasHeader { try updateHeader() }
        try file?.close()
    }

    private func writeHeader() throws(SinkError) {
        encoded.removeAll()
        unsafe headerBytes.withUnsafeBytes { unsafe encoded.append($0) }
        vectors.removeAll()
        vectors.append(encoded)
        try file?.write(&vectors, isFrame: false)
        hasHeader = true
    }

    private func updateHeader() throws(SinkError) {
        guard header.dataBytes != nil else { return }
        header.dataBytes = dataBytes
        header.write(into: &headerBytes)
        try file?.rewrite(headerBytes, at: 0)
        statedBytes = dataBytes
    }

    private func encode(_ block: AudioBlock, _ bytes: Int) {
        switch header.coding {
        case .int16:
            unsafe encoded.fill(capacity: bytes) { memory in
                unsafe SampleCoding.encode16(block.samples, into: memory)
                return bytes
            }
        case .float32:
            encoded.removeAll()
            // All supported machines are little-endian, like the file.
            unsafe block.samples.withUnsafeBytes { unsafe encoded.append($0) }
        }
    }
}
