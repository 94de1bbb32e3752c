package import PipCapture
package import PipConcurrency
package import PipFrames
internal import PipPixels
package import PipSinks

/// Writes frames to a virtual camera.
///
/// The writer never waits for readers: a slow reader misses frames, and a reader that hangs has no effect.
package final class VirtualCameraWriter: FrameWriter {
    package let name: String
    package let request: SinkRequest
    package let interruption = Interruption()
    private let target: VirtualCameraName
    private let format: PixelFormat
    private let directory: VirtualCameraDirectory
    private var opened: FrameLayout
    private var layout: FrameLayout
    private var queue: OutputQueue?

    /// The pixel formats in which a virtual camera can be written.
    package static let formats: [PixelFormat] = [.i420, .nv12, .yuyv]

    /// A frame keeps its own timestamp if the timestamp differs from the clock by less than this duration.
    ///
    /// Other timestamps, as in a session in virtual time, are replaced by the time of writing.
    private static let tolerance = Duration.seconds(10)

    /// - Parameters:
    ///   - label: The output's name in messages and statistics.
    ///   - target: The reference to the device.
    ///   - format: The device's format, one of ``formats``.
    ///   - calls: The system calls.
    /// - Throws: ``SinkError`` for another format.
    package init(
        _ label: String, _ target: VirtualCameraName, format: PixelFormat, calls: any V4L2Calls
    ) throws(SinkError) {
        guard Self.formats.contains(format) else {
            let names = Self.formats.map(\.rawValue).joined(separator: ", ")
            throw SinkError(label, "open", .invalidOptions, "a virtual camera is written in \(names), not in \(format)")
        }
        name = label
        self.target = target
        self.format = format
        directory = VirtualCameraDirectory(calls: calls)
        // This writer packs YUYV from the two planes of NV12.
        request = SinkRequest(format: format == .yuyv ? .nv12 : format)
        opened = FrameLayout(request.format, PixelSize(0, 0))
        layout = opened
    }

    package func open(_ info: FrameInfo, rate: FrameRate) throws(SinkError) {
        try check(info)
        let size = info.layout.size
        guard size.width % 2 == 0, size.height % 2 == 0 else {
            throw SinkError(
                name, "open", .invalidOptions, "frames are \(size): a virtual camera's width and height must be even")
        }
        let path = try directory.path(of: target)
        let node = try LoopbackNode(writing: path, calls: directory.calls)
        guard !WriterCheck(node).isWritten else { throw LoopbackProblems(path: path, calls: directory.calls).busy }
        layout = try OutputFormat(node, FrameLayout(format, size), info.colorimetry, rate).layout
        opened = info.layout
        queue = try OutputQueue(node, frameBytes: layout.byteCount)
    }

    package func write(_ frame: Frame) throws(SinkError) {
        try check(frame, opened)
        try unsafe queue?.put(stamp(of: frame)) { start in unsafe fill(start, frame) }
    }

    package func finish() { queue = nil }

    private func stamp(of frame: Frame) -> Timestamp {
        let now = directory.calls.now
        let distance = frame.timestamp.duration(to: now)
        return distance < Self.tolerance && distance > .zero - Self.tolerance ? frame.timestamp : now
    }

    @unsafe private func fill(_ start: UnsafeMutableRawPointer, _ frame: Frame) {
        if format == .yuyv {
            guard let luma = unsafe frame.unsafePlane(0), let chroma = unsafe frame.unsafePlane(1) else { return }
            unsafe packYUYV(
                luma: InputRows(luma, stride: frame.layout.planes[0].strideInBytes),
                chroma: InputRows(chroma, stride: frame.layout.planes[1].strideInBytes),
                to: OutputRows(start, stride: layout.planes[0].strideInBytes), width: layout.size.width,
                height: layout.size.height)
            return
        }
        for (index, plane) in layout.planes.enumerated() {
            guard let rows = unsafe frame.unsafePlane(index) else { return }
            unsafe copyRows(
                from: InputRows(rows, stride: frame.layout.planes[index].strideInBytes),
                to: OutputRows(start + plane.offset, stride: plane.strideInBytes), rowBytes: plane.rowBytes,
                rows: plane.dimensions.height)
        }
    }
}
