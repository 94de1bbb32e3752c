import Glibc
import PipConcurrency
import PipFrames
import PipTestSupport

@testable import PipSources

extension TemporaryFolder {
    /// Writes a file and returns its path.
    func file(_ name: String, _ bytes: [UInt8]) throws -> String {
        try write(bytes, to: name)
        return path(name)
    }
}

/// Writes to a pipe on a separate thread, in blocks of `pieces` bytes, and then closes the pipe.
func feed(_ path: String, _ bytes: [UInt8], pieces: Int) -> WorkerThread {
    WorkerThread(name: "feeds") {
        let descriptor = unsafe open(path, O_WRONLY)
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = Array(rest.prefix(pieces))
            guard unsafe write(descriptor, piece, piece.count) == piece.count else { break }
            rest = rest.dropFirst(pieces)
        }
        close(descriptor)
    }
}

/// A plane's samples, row by row, without padding.
func samples(_ buffer: FrameBuffer, _ layout: FrameLayout, plane: Int = 0) -> [UInt8] {
    samples(Frame(info: FrameInfo(layout: layout, colorimetry: .bt709), buffer: buffer), plane: plane)
}

/// All samples of the next frame, in the order of its planes; nil at the end.
func next(_ reader: any FrameReader, index: Int = 0) throws(SourceError) -> [UInt8]? {
    let layout = reader.description.layout
    guard let buffer = try reader.next(index: index, memory: { FrameBuffer(layout) }) else { return nil }
    return layout.planes.indices.flatMap { samples(buffer, layout, plane: $0) }
}

/// A reader of numbered grey frames, for tests of the classes that run readers.
final class CountingReader: FrameReader {
    let description: SourceDescription
    let interruption = Interruption()
    private let failure: (index: Int, error: SourceError)?

    init(frames: Int?, failingAt index: Int? = nil, isStill: Bool = false) {
        description = SourceDescription(
            name: "counting", layout: FrameLayout(.gray, PixelSize(2, 1)), colorimetry: .bt709, rate: FrameRate(25),
            length: frames.map { .frames($0) } ?? .endless, isStill: isStill)
        failure = index.map { ($0, SourceError("counting", "read frame \($0)", .damaged, "made to fail")) }
    }

    func read(into buffer: FrameBuffer, index: Int) throws(SourceError) -> Bool {
        if let failure, index == failure.index { throw failure.error }
        if let count = description.frameCount, index >= count { return false }
        unsafe buffer.mutableBytes(ofPlane: 0)[0] = UInt8(truncatingIfNeeded: index)
        unsafe buffer.mutableBytes(ofPlane: 0)[1] = 0
        return true
    }
}
