internal import PipCodecs
internal import PipConcurrency
internal import PipSinks

/// One picture of a session, as the bytes of a JPEG or PNG file.
///
/// The file says when the picture was captured, to the millisecond, and by which cameras (EXIF).
public struct Still: Sendable {
    /// The kind of file.
    public enum Format: Sendable, Hashable {
        /// A JPEG file of a quality from 1 (small) to 100 (good).
        case jpeg(quality: Int)
        /// A PNG file, without loss.
        case png

        /// A good JPEG picture.
        public static let jpeg = Format.jpeg(quality: 92)
    }

    /// The file's bytes.
    public let bytes: [UInt8]
    /// The size in pixels.
    public let size: PixelSize
    /// The time of capture since 1970-01-01 UTC.
    ///
    /// Without live sources: the time of composition.
    public let time: Duration
    /// The frames of live sources that it shows.
    public let inputs: FrameInputs

    /// Encodes a frame.
    ///
    /// - Parameters:
    ///   - frame: The frame, in the format of a ``StillSink``.
    ///   - format: The kind of file.
    ///   - cameras: The names of the sources in it.
    ///   - age: The time since the frame's timestamp.
    /// - Throws: ``SessionError`` when the picture is too large for the format.
    init(_ frame: Frame, as format: Format, cameras: [String], age: Duration) throws(SessionError) {
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
            case .jpeg(let quality): try JPEGEncoder(quality: quality).encode(frame, into: file, subject: "still")
            case .png: try PNGEncoder().encode(frame, into: file, subject: "still", tags: tags)
            }
        } catch {
            throw .noPicture(of: "the still", reason: error.description)
        }
        let encoded = file.withBytes { unsafe $0.withUnsafeBytes { unsafe Array($0) } }
        bytes = format == .png ? encoded : tags.inserted(intoJPEG: encoded)
        size = frame.size
        inputs = frame.info.inputs
        self.time = time.sinceEpoch
    }

    /// Checks a name for ``write(to:)``.
    ///
    /// - Parameter path: The name.
    /// - Throws: ``SessionError`` that names the fault.
    public static func check(_ path: String) throws(SessionError) {
        do throws(SinkError) { _ = try FileNames(path) } catch { throw .sink(error) }
    }

    /// Writes it to a file, which appears when it is complete.
    ///
    /// - Parameter path: A name such as `still.jpg` is that of the newest picture and is replaced. With fields of
    ///   `strftime`, or a number as `%05d`, every picture has a file of its own. The folder is made if only it is
    ///   missing.
    /// - Returns: The file's path.
    /// - Throws: ``SessionError`` when it cannot be written; nothing of it stays then.
    @discardableResult
    public func write(to path: String) throws(SessionError) -> String {
        do throws(SinkError) {
            return try PictureFile.write(bytes, as: FileNames(path), number: 1, at: WallTime(sinceEpoch: time)).path
        } catch {
            throw .sink(error)
        }
    }
}
