internal import CPixbuf
internal import CYUV
package import PipFrames

/// The pictures of a GIF, BMP, TIFF, AVIF or HEIC file, decoded by gdk-pixbuf to 8-bit RGBA.
///
/// Thread: any, but one at a time.
@safe package final class Pixbuf: PictureHeader {
    private let handle: OpaquePointer

    /// Decodes the picture of a file, or the first picture of an animation.
    ///
    /// - Parameters:
    ///   - bytes: The file.
    ///   - kind: The file's format, recognized by its first bytes.
    ///   - area: The most pixels of the picture.
    ///   - subject: The file's path, for messages.
    /// - Throws: ``CodecError`` when the file is damaged or too large, or a library is missing.
    package init(
        _ bytes: RawSpan, _ kind: PictureKind, atMost area: Int = PictureLimits.area, subject: String
    ) throws(CodecError) {
        guard let loader = Loader(kind) else { throw CodecError(subject, .failed, "\(kind) needs another decoder") }
        if let reason = unsafe pip_load_pixbuf() {
            throw CodecError(
                subject, .failed,
                "gdk-pixbuf cannot be loaded: \(unsafe String(cString: reason)); "
                    + "sudo apt-get install libgdk-pixbuf-2.0-0")
        }
        var failure = PIP_PIXBUF_DAMAGED
        var reason = [CChar](repeating: 0, count: 256)
        let opened = unsafe bytes.withUnsafeBytes { bytes in
            unsafe pip_pixbuf_open(
                bytes.baseAddress, bytes.count, loader.mediaType, Int64(PictureLimits.side),
                Int64(area), &failure, &reason, reason.count)
        }
        guard let handle = unsafe opened else {
            let said = String(decoding: reason.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            throw switch failure {
            case PIP_PIXBUF_NO_LOADER:
                CodecError(
                    subject, .unsupported,
                    "gdk-pixbuf has no loader for \(loader.mediaType); sudo apt-get install \(loader.package)")
            case PIP_PIXBUF_TOO_LARGE:
                CodecError(subject, .tooLarge, "its size is above \(PictureLimits.limit(area: area))")
            default: CodecError(subject, .damaged, said.isEmpty ? "it is damaged or cut off" : "it is damaged: \(said)")
            }
        }
        unsafe self.handle = unsafe handle
        // A loader that did not report the size before decoding is checked here.
        _ = try PictureLimits.check(width: size.width, height: size.height, subject: subject, atMost: area)
    }

    deinit { unsafe pip_pixbuf_close(handle) }

    /// The size of the current picture.
    package var size: PixelSize {
        let picture = unsafe pip_pixbuf_picture(handle)
        return PixelSize(max(1, Int(unsafe picture.width)), max(1, Int(unsafe picture.height)))
    }

    /// Advances to the next picture of an animation.
    package func advance() { unsafe pip_pixbuf_advance(handle) }

    /// Copies the current picture's pixels with premultiplied alpha.
    ///
    /// - Parameters:
    ///   - buffer: The memory for the pixels, as `layout` describes.
    ///   - layout: An RGBA layout of ``size``.
    package func copy(into buffer: FrameBuffer, _ layout: FrameLayout) {
        let picture = unsafe pip_pixbuf_picture(handle)
        guard let pixels = unsafe picture.pixels, let target = unsafe buffer.packedPixels(layout), size == layout.size
        else { return }
        let (width, height) = (CInt(size.width), CInt(size.height))
        let (stride, own) = unsafe (CInt(picture.stride), CInt(layout.planes[0].strideInBytes))
        if unsafe picture.channels == 4 {
            unsafe CopyPlane(pixels, stride, target, own, 4 * width, height)
            buffer.premultiply(layout)
        } else {
            // This function of libyuv keeps the order of the three bytes, and appends an alpha of 255.
            unsafe RGB24ToARGB(pixels, stride, target, own, width, height)
        }
    }

    /// The media type that selects gdk-pixbuf's loader, and the package that contains the loader.
    private struct Loader {
        var mediaType: String
        var package: String

        init?(_ kind: PictureKind) {
            switch kind {
            case .png, .jpeg, .webP: return nil
            case .gif: self.init(mediaType: "image/gif", package: "libgdk-pixbuf-2.0-0")
            case .bmp: self.init(mediaType: "image/bmp", package: "libgdk-pixbuf-2.0-0")
            case .tiff: self.init(mediaType: "image/tiff", package: "libgdk-pixbuf-2.0-0")
            case .avif: self.init(mediaType: "image/avif", package: "libavif-gdk-pixbuf")
            case .heif: self.init(mediaType: "image/heif", package: "heif-gdk-pixbuf")
            }
        }

        private init(mediaType: String, package: String) {
            self.mediaType = mediaType
            self.package = package
        }
    }
}

/// Decodes the pictures of a GIF file with gdk-pixbuf.
package final class GIFDecoder: AnimationDecoder {
    private let pixbuf: Pixbuf
    private var remaining: Int

    /// - Parameters:
    ///   - bytes: The file.
    ///   - header: The file's header.
    ///   - subject: The file's path, for messages.
    /// - Throws: ``CodecError`` when the file is damaged, or the library is missing.
    package init(_ bytes: RawSpan, _ header: GIF.Header, subject: String) throws(CodecError) {
        pixbuf = try Pixbuf(bytes, .gif, subject: subject)
        remaining = header.durations.count
    }

    package func next(into buffer: FrameBuffer, _ layout: FrameLayout) throws(CodecError) -> Bool {
        guard remaining > 0 else { return false }
        pixbuf.copy(into: buffer, layout)
        pixbuf.advance()
        remaining -= 1
        return true
    }
}
