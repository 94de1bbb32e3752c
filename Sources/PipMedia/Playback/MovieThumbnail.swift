#if Media
internal import PipConcurrency
package import PipFrames
package import PipSources

/// Decodes small pictures of movie files, for lists.
package enum MovieThumbnail {
    /// The width of a picture before it is turned upright.
    ///
    /// Units: pixels. The height follows from the movie's proportions.
    private static let width = 192
    /// The longest wait for a picture.
    private static let timeout = Duration.seconds(5)
    /// The way by RGB, because a conversion between two formats of Y'CbCr with the same matrix keeps the range of the
    /// samples (GStreamer 1.22, `video-converter.c`).
    private static let elements =
        "videoscale name=convert ! videoconvert ! video/x-raw,format=RGB ! videoconvert ! "
        + "capsfilter name=formats caps=\"video/x-raw,format=(string)I420,width=\(width),"
        + "pixel-aspect-ratio=1/1,colorimetry=(string)1:4:0:0\" ! videoflip video-direction=auto ! appsink name=out"

    /// Decodes a key frame, and blocks until that is done.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - time: The time since the file's beginning. The last key frame before it is taken, and the first picture of a
    ///     file that is not seekable.
    /// - Returns: The picture, with JPEG's colorimetry.
    /// - Throws: ``PipSources/SourceError`` when no picture can be decoded.
    package static func frame(ofFile path: String, at time: Duration) throws(SourceError) -> Frame {
        do throws(MediaError) {
            let decoder = try MovieDecoder(path, usesHardware: false, elements: elements)
            defer { decoder.stop() }
            let first = try picture(of: decoder)
            let later = time > .zero && decoder.seek(to: time) ? try? picture(of: decoder) : nil
            let shown = later ?? first
            return Frame(info: FrameInfo(layout: shown.layout, colorimetry: .jpeg), buffer: shown.memory)
        } catch { throw SourceError(path, "show a picture", .damaged, error.reason) }
    }

    private static func picture(of decoder: MovieDecoder) throws(MediaError) -> DecodedPicture {
        let clock = MonotonicClock()
        let deadline = clock.now.advanced(by: timeout)
        while clock.now < deadline {
            switch decoder.next(within: .milliseconds(50)) {
            case .picture(let picture): return picture
            case .failed(let error): throw error
            case .ended: throw MediaError(kind: .failed, reason: "it has no pictures")
            case .nothing: continue
            }
        }
        throw MediaError(kind: .failed, reason: "no picture was decoded within \(timeout.components.seconds) s")
    }
}
#endif
