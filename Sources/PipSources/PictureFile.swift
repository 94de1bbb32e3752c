internal import PipCodecs
internal import PipConcurrency
internal import PipFrames

/// A PNG, JPEG or WebP file in memory, its header read, its pixels not yet.
struct PictureFile {
    /// The header of each kind.
    enum Header {
        case png(PNG.Header)
        case jpeg(JPEGHeader)
        case webP(WebP.Header)
    }

    let name: String
    let header: Header
    private let content: ByteBuffer

    /// Bytes that a file may have: more than any picture within the limits of size needs.
    private static let largest = 1 << 30

    /// The limits of an overlay: pixels a side, and bytes once it is decoded.
    static let largestOverlay = (side: 8192, bytes: 64 << 20)

    /// Reads a file and checks its header; the content decides on the kind, not the name.
    ///
    /// - Throws: ``SourceError`` when it cannot be read, is not a picture that is handled, or is too large for an
    ///   overlay where it is to be one.
    init(path: String, isOverlay: Bool, interruption: Interruption) throws(SourceError) {
        let file = try InputFile(path: path, interruption: interruption)
        let (name, content) = (file.name, try Self.read(file))
        self.name = name
        self.content = content
        do throws(CodecError) {
            header = try content.withBytes { bytes throws(CodecError) in try Header(of: bytes, subject: name) }
        } catch {
            throw SourceError(name, "read", .damaged, error.detail)
        }
        let (side, bytes) = Self.largestOverlay
        if isOverlay, size.width > side || size.height > side || size.area * 4 > bytes {
            throw SourceError(
                name, "be used", .damaged,
                "it has \(size) pixels; a picture over others has at most \(side) a side and \(bytes >> 22) million in all"
            )
        }
    }

    var size: PixelSize {
        switch header {
        case .png(let header): header.size
        case .jpeg(let header): header.size
        case .webP(let header): header.size
        }
    }

    var format: PixelFormat {
        switch header {
        case .png, .webP: .rgba
        case .jpeg(let header): header.fullFormat
        }
    }

    var orientation: Orientation {
        switch header {
        case .png(let header): header.orientation
        case .jpeg(let header): header.orientation
        case .webP(let header): header.orientation
        }
    }

    var colorimetry: Colorimetry { format.isYUV ? .jpeg : .srgb }

    /// Decodes the picture; the first one of an animation.
    ///
    /// - Throws: ``SourceError`` when it is damaged.
    func decode(into buffer: FrameBuffer, _ layout: FrameLayout) throws(SourceError) {
        switch header {
        case .png:
            try decoding { bytes throws(CodecError) in
                try PNG.decode(bytes, into: buffer, layout: layout, subject: name)
            }
        case .jpeg(let header):
            try decoding { bytes throws(CodecError) in
                let completeness = try JPEGDecoder().decode(bytes, header, into: buffer, layout: layout, subject: name)
                guard completeness == .intact else {
                    throw CodecError(name, .damaged, "its data is cut off or broken")
                }
            }
        case .webP(let header):
            try decode(header) { pixels in
                buffer.fill(layout, with: pixels)
                return false
            }
        }
    }

    /// Decodes an animation's pictures in order.
    ///
    /// - Parameters:
    ///   - header: The file's header.
    ///   - take: Gets each picture in a buffer of its own; returns false to stop.
    /// - Throws: ``SourceError`` when one is damaged; its predecessors have been handed on.
    func decodeAll(_ header: WebP.Header, take: (FrameBuffer) -> Bool) throws(SourceError) {
        let layout = FrameLayout(format, size)
        try decode(header) { pixels in
            let buffer = FrameBuffer(layout)
            buffer.fill(layout, with: pixels)
            return take(buffer)
        }
    }

    private func decode(_ header: WebP.Header, take: (RawSpan) -> Bool) throws(SourceError) {
        try decoding { bytes throws(CodecError) in try WebP.decode(bytes, header, subject: name, take: take) }
    }

    private func decoding(_ body: (RawSpan) throws(CodecError) -> Void) throws(SourceError) {
        do throws(CodecError) {
            try content.withBytes(body)
        } catch {
            throw SourceError(name, "read", .damaged, error.detail)
        }
    }

    private static func read(_ file: borrowing InputFile) throws(SourceError) -> ByteBuffer {
        guard let size = file.size else {
            throw SourceError(file.name, "read", .invalidOptions, "a picture must be a file, not a pipe or a device")
        }
        guard size <= largest else {
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

extension PictureFile.Header {
    fileprivate init(of bytes: RawSpan, subject: String) throws(CodecError) {
        switch PictureKind(of: bytes) {
        case .png: self = .png(try PNG.header(of: bytes, subject: subject))
        case .jpeg: self = .jpeg(try JPEGHeader(bytes, subject: subject))
        case .webP: self = .webP(try WebP.header(of: bytes, subject: subject))
        case nil:
            throw CodecError(
                subject, .unsupported,
                bytes.isEmpty
                    ? "it is empty"
                    : "neither a PNG, a JPEG nor a WebP picture: it begins with \(bytes.hexadecimal(prefix: 8))")
        }
    }
}

extension FrameBuffer {
    /// Fills a packed layout's rows with rows that lie one after the other.
    fileprivate func fill(_ layout: FrameLayout, with pixels: RawSpan) {
        let plane = layout.planes[0]
        let memory = unsafe mutableBytes(ofPlane: 0)
        unsafe pixels.withUnsafeBytes { pixels in
            for row in 0..<plane.dimensions.height {
                let source = unsafe pixels[row * plane.rowBytes..<(row + 1) * plane.rowBytes]
                let start = plane.offset + row * plane.strideInBytes
                unsafe UnsafeMutableRawBufferPointer(rebasing: memory[start..<start + plane.rowBytes])
                    .copyMemory(from: UnsafeRawBufferPointer(rebasing: source))
            }
        }
    }
}
