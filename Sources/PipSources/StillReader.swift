internal import PipCodecs
package import PipConcurrency
package import PipFrames

/// A PNG or JPEG picture: one frame, to be shown for ever.
///
/// PNG comes as RGBA with premultiplied alpha; JPEG as I420 or grey where its samples are of that kind, and as RGB else.
package final class StillReader: FrameReader {
    package let description: SourceDescription
    package let interruption: Interruption
    private let content: ByteBuffer
    private let kind: Kind

    private enum Kind {
        case png
        case jpeg(JPEGHeader)
    }

    /// Bytes that a file may have: more than any picture within the limits of size needs.
    package static let largestFile = 1 << 30

    /// What a picture that lies over others may have: pixels a side, and bytes once it is decoded.
    package static let largestOverlay = (side: 8192, bytes: 64 << 20)

    /// Reads a file and checks its header; the kind is told by the content, not by the name.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - isOverlay: Whether it must keep to ``largestOverlay``.
    ///   - rate: How often the picture is said to repeat.
    ///   - interruption: Unused by a file; the protocol asks for one.
    /// - Throws: ``SourceError`` when it cannot be read, or is not a picture that is handled.
    package init(
        path: String, isOverlay: Bool = false, rate: FrameRate = FrameRate(30),
        interruption: Interruption = Interruption()
    ) throws(SourceError) {
        self.interruption = interruption
        let file = try InputFile(path: path, interruption: interruption)
        content = try Self.read(file)
        let name = file.name
        let head = try content.withBytes { bytes throws(SourceError) in try Self.head(of: bytes, name) }
        kind = head.kind
        let (side, bytes) = Self.largestOverlay
        if isOverlay, head.size.width > side || head.size.height > side || head.size.area * 4 > bytes {
            throw SourceError(
                name, "be used", .damaged,
                "it has \(head.size) pixels; a picture over others has at most \(side) a side and \(bytes >> 22) million in all"
            )
        }
        let colorimetry: Colorimetry = head.format.isYUV ? .jpeg : .srgb
        description = SourceDescription(
            name: name, layout: FrameLayout(head.format, head.size), colorimetry: colorimetry,
            orientation: head.orientation, rate: rate, length: .endless, isStill: true)
    }

    package func read(into buffer: FrameBuffer, index: Int) throws(SourceError) -> Bool {
        let (name, layout) = (description.name, description.layout)
        do throws(CodecError) {
            switch kind {
            case .png:
                try content.withBytes { bytes throws(CodecError) in
                    try PNG.decode(bytes, into: buffer, layout: layout, subject: name)
                }
            case .jpeg(let header):
                let completeness = try content.withBytes { bytes throws(CodecError) in
                    try JPEGDecoder().decode(bytes, header, into: buffer, layout: layout, subject: name)
                }
                guard completeness == .intact else {
                    throw CodecError(name, .damaged, "its data is cut off or broken")
                }
            }
        } catch {
            throw SourceError(name, "read", .damaged, error.detail)
        }
        return true
    }

    private static func head(
        of bytes: RawSpan, _ name: String
    ) throws(SourceError) -> (kind: Kind, format: PixelFormat, size: PixelSize, orientation: Orientation) {
        do throws(CodecError) {
            switch PictureKind(of: bytes) {
            case .png:
                let header = try PNG.header(of: bytes, subject: name)
                return (.png, .rgba, header.size, header.orientation)
            case .jpeg:
                let header = try JPEGHeader(bytes, subject: name)
                return (.jpeg(header), header.fullFormat, header.size, header.orientation)
            case nil:
                throw CodecError(
                    name, .unsupported,
                    bytes.isEmpty
                        ? "it is empty"
                        : "neither a PNG nor a JPEG picture: it begins with \(bytes.hexadecimal(prefix: 8))")
            }
        } catch {
            throw SourceError(name, "read", .damaged, error.detail)
        }
    }

    private static func read(_ file: borrowing InputFile) throws(SourceError) -> ByteBuffer {
        guard let size = file.size else {
            throw SourceError(file.name, "read", .invalidOptions, "a picture must be a file, not a pipe or a device")
        }
        guard size <= largestFile else {
            throw SourceError(file.name, "read", .damaged, "\(size) bytes are too many for a picture")
        }
        let content = ByteBuffer()
        try unsafe content.fill(capacity: size) { memory throws(SourceError) in
            let part = unsafe UnsafeMutableRawBufferPointer(rebasing: memory[..<size])
            return try unsafe file.read(part, "read")
        }
        return content
    }
}
