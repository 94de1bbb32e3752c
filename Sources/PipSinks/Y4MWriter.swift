internal import PipCodecs
package import PipConcurrency
package import PipFrames

/// Writes frames as a YUV4MPEG2 stream, in 4:2:0 or grey, to a file or pipe.
///
/// The stream does not state its colour matrix. Players assume BT.709 above 576 rows and BT.601 otherwise.
package final class Y4MWriter: FrameWriter {
    package let name: String
    package let request: SinkRequest
    package let interruption: Interruption
    package let hasFixedRate = true
    private let destination: OutputDestination
    private let reserve: DiskReserve
    private var file: OutputFile?
    private var layout = FrameLayout(.i420, PixelSize(0, 0))
    private var vectors = FrameVectors()
    // The stream's header and the frames' header are stored, because the I/O vectors point to them.
    private let header = ByteBuffer()
    private let frameLine = ByteBuffer()
    private var hasHeader = false

    /// - Parameters:
    ///   - destination: The file, pipe or standard output.
    ///   - request: The requested format: I420 or grey.
    ///   - reserve: The free space to leave on the disk.
    ///   - interruption: The interruption that cancels waits for a pipe.
    /// - Throws: ``SinkError`` for another format.
    package init(
        _ destination: OutputDestination, request: SinkRequest = SinkRequest(format: .i420),
        reserve: DiskReserve = DiskReserve(),
        interruption: Interruption = Interruption()
    ) throws(SinkError) {
        guard request.format == .i420 || request.format == .gray else {
            throw SinkError(
                destination.name, "open", .invalidOptions, "a Y4M stream holds i420 or gray, not \(request.format)")
        }
        self.destination = destination
        self.reserve = reserve
        self.interruption = interruption
        name = destination.name
        self.request = request
        frameLine.append("FRAME\n")
    }

    package func open(_ info: FrameInfo, rate: FrameRate) throws(SinkError) {
        try check(info)
        layout = info.layout
        let line = Y4MHeader(size: layout.size, rate: rate, format: layout.format, colorimetry: info.colorimetry).line
        header.append(line)
        let file = try OutputFile(destination, interruption: interruption, reserve: reserve)
        let isConnected = file.isConnected
        self.file = consume file
        // If a pipe has no reader yet, the header is written with the first frame.
        if isConnected { try writeHeader() }
    }

    package func write(_ frame: Frame) throws(SinkError) {
        try check(frame, layout)
        if !hasHeader { try writeHeader() }
        vectors.removeAll()
        vectors.append(frameLine)
        vectors.append(frame.buffer, frame.layout)
        try file?.write(&vectors)
    }

    package func sync(isThorough: Bool) throws(SinkError) { try file?.sync(isThorough: isThorough) }

    package func keepName() { file?.keepName() }

    package func finish() throws(SinkError) { try file?.close() }

    private func writeHeader() throws(SinkError) {
        vectors.removeAll()
        vectors.append(header)
        try file?.write(&vectors, isFrame: false)
        hasHeader = true
    }
}
