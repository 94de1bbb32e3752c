#if Media
import Foundation
import PipFrames
import PipTestSupport

/// Makes movies with FFmpeg whose frames show their numbers.
struct MovieFiles {
    let folder: TemporaryFolder
    static let size = PixelSize(160, 96)

    init() throws { folder = try TemporaryFolder() }

    /// Makes a movie of numbered frames.
    ///
    /// - Parameters:
    ///   - name: The name of the file. Its extension decides the container.
    ///   - count: The number of frames.
    ///   - first: The number that the first frame shows.
    ///   - rate: The frame rate in FFmpeg's notation.
    ///   - size: The size of the frames.
    ///   - arguments: FFmpeg's arguments for the encoder.
    /// - Returns: The path of the file.
    /// - Throws: `Failure` when FFmpeg fails.
    func numbered(
        _ name: String, _ count: Int, from first: Int = 0, rate: String = "30", size: PixelSize = size,
        _ arguments: [String] = h264
    ) throws -> String {
        var bytes: [UInt8] = []
        for number in first..<first + count { bytes += Self.frame(number, size) }
        try folder.write(bytes, to: "\(name).i420")
        let path = folder.path(name)
        try ffmpeg(
            ["-f", "rawvideo", "-pix_fmt", "yuv420p", "-s", "\(size)", "-r", rate, "-i", folder.path("\(name).i420")]
                + arguments + [path])
        return path
    }

    /// FFmpeg's arguments for H.264 with B frames and a key frame every 12 frames.
    static let h264 = ["-c:v", "libx264", "-g", "12", "-bf", "2", "-crf", "12"]

    /// Runs FFmpeg in the folder; throws when it fails.
    func ffmpeg(_ arguments: [String]) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["ffmpeg", "-nostdin", "-v", "error", "-y"] + arguments
        process.currentDirectoryURL = folder.url
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failure(arguments: arguments) }
    }

    struct Failure: Error {
        let arguments: [String]
    }

    /// A frame of eight vertical stripes for the bits of the number, with the lowest bit on the left.
    private static func frame(_ number: Int, _ size: PixelSize) -> [UInt8] {
        let row = (0..<size.width).map { x in UInt8(number >> (x * 8 / size.width) & 1 == 0 ? 40 : 200) }
        let chroma = ((size.width + 1) / 2) * ((size.height + 1) / 2)
        return (0..<size.height).flatMap { _ in row } + [UInt8](repeating: 110, count: chroma)
            + [UInt8](repeating: 150, count: chroma)
    }
}

extension Frame {
    /// The byte at a column and a row of a plane.
    func sample(_ plane: Int, _ x: Int, _ y: Int) -> UInt8 {
        withPlane(plane) { span, layout in
            unsafe span.unsafeLoad(fromByteOffset: y * layout.strideInBytes + x, as: UInt8.self)
        }
    }

    /// The number that the frame's stripes show.
    var number: Int {
        (0..<8).reduce(0) { sum, bit in
            sample(0, (2 * bit + 1) * size.width / 16, size.height / 2) > 120 ? sum | 1 << bit : sum
        }
    }
}
#endif
