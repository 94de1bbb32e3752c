internal import PipCodecs
internal import PipConcurrency
internal import PipFrames

/// A picture file in memory with its parsed header: one picture, or an animation.
struct PictureFile {
    /// The parsed header; for formats that gdk-pixbuf decodes, the decoded picture.
    fileprivate enum Content {
        case png(PNG.Header)
        case apng(APNG)
        case jpeg(JPEGHeader)
        case webP(WebP.Header)
        case gif(GIF.Header)
        case decoded(Pixbuf)
    }

    let name: String
    private let content: Content
    private let bytes: ByteBuffer

    /// The largest file that is read, in bytes.
    private static let largest = 1 << 30

    /// The limits of an overlay: the longest side in pixels, and the bytes of the decoded picture.
    private static let largestOverlay = (side: 8192, bytes: 64 << 20)

    /// Reads a file and checks its header.
    ///
    /// The content, not the name, determines the file's format.
    ///
    /// - Throws: ``SourceError`` when the file cannot be read, is not a supported picture, or is too large.
    init(path: String, isOverlay: Bool, interruption: Interruption) throws(SourceError) {
        let file = try InputFile(path: path, interruption: interruption)
        let (name, bytes) = (file.name, try Self.read(file))
        self.name = name
        self.bytes = bytes
        do throws(CodecError) {
            content = try bytes.withBytes { bytes throws(CodecError) in try Content(of: bytes, subject: name) }
        } catch {
            throw SourceError(name, "read", .damaged, error.detail)
        }
        let (side, most) = Self.largestOverlay
        if isOverlay, size.width > side || size.height > side || size.area * 4 > most {
            throw SourceError(
                name, "be used", .damaged,
                "it has \(size) pixels; an overlay has at most \(side) a side and \(most / 4) in all"
            )
        }
    }

    private var size: PixelSize { content.header.size }

    private var format: PixelFormat { if case .jpeg(let header) = content { header.fullFormat } else { .rgba } }

    /// The layout, colour encoding and orientation of the decoded pictures.
    var info: FrameInfo {
        FrameInfo(
            layout: FrameLayout(format, size), colorimetry: format.isYUV ? .jpeg : .srgb,
            orientation: content.header.orientation)
    }

    /// The display duration of each picture; empty for a still.
    var durations: [Duration] {
        let durations = content.header.durations
        return durations.count > 1 ? durations : []
    }

    /// Decodes the picture, or the first picture of an animation.
    ///
    /// - Throws: ``SourceError`` when the picture cannot be decoded.
    func decode(into buffer: FrameBuffer, _ layout: FrameLayout) throws(SourceError) {
        switch content {
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
        case .decoded(let pixbuf): pixbuf.copy(into: buffer, layout)
        case .apng, .webP, .gif: _ = try animation()(buffer, layout)
        }
    }

    /// Makes a decoder of an animation's pictures.
    ///
    /// - Returns: A function that fills memory with the next picture, and returns false after the last picture.
    /// - Throws: ``SourceError`` when the decoder cannot be made. The returned function throws when a picture cannot be
    ///   decoded.
    func animation() throws(SourceError) -> (FrameBuffer, FrameLayout) throws(SourceError) -> Bool {
        let name = name
        let decoder = try decoding { bytes throws(CodecError) -> (any AnimationDecoder)? in
            switch content {
            case .apng(let header): APNGDecoder(self.bytes, header, subject: name)
            case .webP(let header): try WebPDecoder(self.bytes, header, subject: name)
            case .gif(let header): try GIFDecoder(bytes, header, subject: name)
            case .png, .jpeg, .decoded: nil
            }
        }
        return { buffer, layout throws(SourceError) in
            do throws(CodecError) { return try decoder?.next(into: buffer, layout) ?? false } catch {
                throw SourceError(name, "read", .damaged, error.detail)
            }
        }
    }

    private func decoding<R>(_ body: (RawSpan) throws(CodecError) -> R) throws(SourceError) -> R {
        do throws(CodecError) {
            return try bytes.withBytes(body)
        } catch {
            throw SourceError(name, "read", .damaged, error.detail)
        }
    }

    private static func read(_ file: borrowing InputFile) throws(SourceError) -> ByteBuffer {
        guard let size = file.size else {
            throw SourceError(file.name, "read", .invalidOptions, "a picture must be a file, not a pipe or a device")
        }
        guard size <= largest else {
            throw SourceError(file.name, "read", .damaged, "it has \(size) bytes; a picture has at most \(largest)")
        }
        let content = ByteBuffer()
        try unsafe content.fill(capacity: size) { memory throws(SourceError) in
            let part = unsafe UnsafeMutableRawBufferPointer(rebasing: memory[..<size])
            return try unsafe file.read(part, "read")
        }
        return content
    }
}

extension PictureFile.Content {
    /// The file's header.
    ///
    /// Decoded pictures have no orientation, because gdk-pixbuf has already applied it.
    fileprivate var header: any PictureHeader {
        switch self {
        case .png(let header): header
        case .apng(let header): header
        case .jpeg(let header): header
        case .webP(let header): header
        case .gif(let header): header
        case .decoded(let pixbuf): pixbuf
        }
    }

    fileprivate init(of bytes: RawSpan, subject: String) throws(CodecError) {
        let kind = PictureKind(of: bytes)
        switch kind {
        case .png:
            let header = try PNG.header(of: bytes, subject: subject)
            self =
                if let animation = try APNG(bytes, header, subject: subject) { .apng(animation) } else { .png(header) }
        case .jpeg: self = .jpeg(try JPEGHeader(bytes, subject: subject))
        case .webP: self = .webP(try WebP.header(of: bytes, subject: subject))
        case .gif: self = .gif(try GIF.header(of: bytes, subject: subject))
        case .bmp, .tiff, .avif, .heif: self = .decoded(try Pixbuf(bytes, kind ?? .bmp, subject: subject))
        case nil:
            throw CodecError(
                subject, .unsupported,
                bytes.isEmpty
                    ? "it is empty"
                    : "no supported picture (\(PictureKind.names)): it begins with \(bytes.hexadecimal(prefix: 8))"
            )
        }
    }
}
