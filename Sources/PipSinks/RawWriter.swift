internal import PipCodecs
package import PipConcurrency
package import PipFrames

/// Writes raw frames, without headers and padding, to a file or pipe.
package class RawWriter: FrameWriter {
    package let name: String
    package let request: SinkRequest
    package let interruption: Interruption
    package let hasFixedRate = true
    private let destination: OutputDestination
    private let reserve: DiskReserve
    private var file: OutputFile?
    private var layout: FrameLayout
    private var vectors = FrameVectors()

    /// - Parameters:
    ///   - destination: The file, pipe or standard output.
    ///   - request: The requested format, in which frames are written.
    ///   - reserve: The free space to leave on the disk.
    ///   - interruption: The interruption that cancels waits for a pipe.
    package init(
        _ destination: OutputDestination, request: SinkRequest, reserve: DiskReserve = DiskReserve(),
        interruption: Interruption = Interruption()
    ) {
        self.destination = destination
        self.reserve = reserve
        self.interruption = interruption
        name = destination.name
        self.request = request
        layout = FrameLayout(request.format, PixelSize(0, 0))
    }

    package func open(_ info: FrameInfo, rate: FrameRate) throws(SinkError) {
        try check(info)
        layout = info.layout
        file = try OutputFile(destination, interruption: interruption, reserve: reserve)
    }

    /// True while the destination is open; a named pipe without a reader is opened by the first write.
    final var isConnected: Bool { file?.isConnected ?? false }

    package func write(_ frame: Frame) throws(SinkError) { try write(frame, after: nil) }

    /// Writes `line`, the header of the frame, and then the frame; writes the frame alone if `line` is nil.
    final func write(_ frame: Frame, after line: ByteBuffer?) throws(SinkError) {
        try check(frame, layout)
        vectors.removeAll()
        if let line { vectors.append(line) }
        vectors.append(frame.buffer, frame.layout)
        try file?.write(&vectors)
    }

    /// Writes bytes that belong to no frame.
    final func write(header: ByteBuffer) throws(SinkError) {
        vectors.removeAll()
        vectors.append(header)
        try file?.write(&vectors, isFrame: false)
    }

    package final func sync(isThorough: Bool) throws(SinkError) { try file?.sync(isThorough: isThorough) }

    package final func keepName() { file?.keepName() }

    package final func finish() throws(SinkError) { try file?.close() }
}
