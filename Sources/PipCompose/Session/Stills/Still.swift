internal import PipCodecs
internal import PipConcurrency
internal import PipSinks

/// One picture of a session, as the bytes of a JPEG or PNG file.
///
/// The file's EXIF tags tell the time of capture, to the millisecond, and the cameras.
public struct Still: Sendable {
    /// The format of a still picture's file.
    public enum Format: Sendable, Hashable {
        /// A JPEG file of a quality from 1 (small file) to 100 (best picture).
        case jpeg(quality: Int)
        /// A lossless PNG file.
        case png

        /// A JPEG file of quality 92.
        public static let jpeg = Format.jpeg(quality: 92)
    }

    /// The contents of the file, with its EXIF tags.
    public let bytes: [UInt8]
    /// The picture's size, in pixels.
    public let size: PixelSize
    /// The time of capture since 1970-01-01 UTC.
    ///
    /// The newest time if the picture shows several cameras; the time at which the picture was drawn if it shows none.
    public let time: Duration
    /// The cameras' frames that the picture shows.
    public let inputs: FrameInputs

    /// Encodes a frame.
    ///
    /// - Parameters:
    ///   - frame: The frame, in the format of a ``StillSink``.
    ///   - subject: The name of the frame's node in messages.
    ///   - format: The file format.
    ///   - cameras: The names of the cameras that the picture shows.
    ///   - age: The time since the picture was captured.
    /// - Throws: ``SessionError`` when the picture is too large for the format, or encoding fails.
    init(
        _ frame: Frame, of subject: String, as format: Format, cameras: [String], age: Duration
    ) throws(SessionError) {
        let time = WallTime.now - age
        let zone = time.text("%z")
        let tags = PictureTags(
            time: PictureTags.CaptureTime(
                local: time.text("%Y:%m:%d %H:%M:%S"),
                offset: zone.isEmpty ? "+00:00" : zone.prefix(3) + ":" + zone.dropFirst(3),
                milliseconds: time.milliseconds),
            camera: cameras.joined(separator: ", "), software: "pip-compose", size: frame.size)
        let file = ByteBuffer()
        do throws(CodecError) {
            switch format {
            case .jpeg(let quality): try JPEGEncoder(quality: quality).encode(frame, into: file, subject: "JPEG")
            case .png: try PNGEncoder().encode(frame, into: file, subject: "PNG", tags: tags)
            }
        } catch {
            throw .noPicture(of: subject, reason: error.description)
        }
        let encoded = file.withBytes { unsafe $0.withUnsafeBytes { unsafe Array($0) } }
        bytes = format == .png ? encoded : tags.inserted(intoJPEG: encoded)
        size = frame.size
        inputs = frame.info.inputs
        self.time = time.sinceEpoch
    }

    /// Checks a file name or pattern for ``write(to:)``, without writing anything.
    ///
    /// - Parameter path: The file name or pattern.
    /// - Throws: ``SessionError`` that describes the mistake in the pattern.
    public static func check(_ path: String) throws(SessionError) {
        do throws(SinkError) { _ = try FileNames(path) } catch { throw .sink(error) }
    }

    /// Writes the picture to a file.
    ///
    /// The file appears under its name only when it is complete.
    ///
    /// - Parameter path: A file name, such as `still.jpg`; each picture replaces the file. With a pattern with fields
    ///   of `strftime`, or with a number such as `%05d`, each picture gets a file of its own. The last folder of the
    ///   path is created if it is missing.
    /// - Returns: The file's path.
    /// - Throws: ``SessionError`` when the file cannot be written. Then no part of it remains.
    @discardableResult
    public func write(to path: String) throws(SessionError) -> String {
        do throws(SinkError) {
            return try PictureFile.write(bytes, as: FileNames(path), number: 1, at: WallTime(sinceEpoch: time)).path
        } catch {
            throw .sink(error)
        }
    }
}
