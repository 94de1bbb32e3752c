internal import PipCodecs
package import PipConcurrency
package import PipFrames

/// Writes frames as a YUV4MPEG2 stream, in 4:2:0 or grey, to a file or pipe.
///
/// The stream does not state its colour matrix. Many players assume BT.709 above 576 rows and BT.601 otherwise.
package final class Y4MWriter: RawWriter {
    // The stream's header and the frames' header are stored, because the I/O vectors point to them.
    private let header = ByteBuffer()
    private let frameLine = ByteBuffer()
    private var hasHeader = false

    /// - Parameters:
    ///   - destination: The file, pipe or standard output.
    ///   - request: The requested format: I420 or grey.
    ///   - interruption: The interruption that cancels waits for a pipe.
    /// - Throws: ``SinkError`` for another format.
    package init(
        _ destination: OutputDestination, request: SinkRequest = SinkRequest(format: .i420),
        interruption: Interruption = Interruption()
    ) throws(SinkError) {
        guard request.format == .i420 || request.format == .gray else {
            throw SinkError(
                destination.name, "open", .invalidOptions, "a Y4M stream holds i420 or gray, not \(request.format)")
        }
        frameLine.append("FRAME\n")
        super.init(destination, request: request, interruption: interruption)
    }

    package override func open(_ info: FrameInfo, rate: FrameRate) throws(SinkError) {
        try super.open(info, rate: rate)
        let layout = info.layout
        header.append(
            Y4MHeader(size: layout.size, rate: rate, format: layout.format, colorimetry: info.colorimetry).line)
        // If a pipe has no reader yet, the header is written with the first frame.
        if isConnected { try writeHeader() }
    }

    package override func write(_ frame: Frame) throws(SinkError) {
        if !hasHeader { try writeHeader() }
        try write(frame, after: frameLine)
    }

    private func writeHeader() throws(SinkError) {
        try write(header: header)
        hasHeader = true
    }
}
