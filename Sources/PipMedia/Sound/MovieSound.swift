#if Media
internal import PipConcurrency
internal import PipFrames
internal import PipSound

/// The sound of a ``MovieSource``, in step with its pictures: the same part, the same loops, the same beginning.
///
/// ```swift
/// let clip = MovieSource("clip.mp4", loops: true)
/// let sound = AudioMixer()
/// sound.add(MovieSound(clip))
/// ```
///
/// Of its streams of sound the first is heard. It begins with the first picture that is shown, and ends with the last
/// one, or when the movie is taken out of the picture. Where the file has no sound, or the movie is not shown, there is
/// silence. A file without any sound keeps the session from starting.
public struct MovieSound: AudioSource {
    private let path: String
    private let options: MovieReader.Options
    private let timing: MovieTiming

    /// - Parameter movie: The movie, which the same session shows.
    public init(_ movie: MovieSource) { (path, options, timing) = (movie.path, movie.options, movie.timing) }

    public var label: String { path }

    public var opening: AudioOpening {
        AudioOpening { [self] (context) throws(SoundError) in
            do throws(MediaError) {
                return MovieTrack(try Self.opened(path), path, options, timing, context)
            } catch { throw SoundError(.unavailable, subject: path, operation: "play its sound", reason: error.reason) }
        }
    }

    /// How long a file may take to open.
    private static let patience = Duration.seconds(10)

    /// Opens a file, and blocks until its first sound is decoded.
    ///
    /// - Throws: ``MediaError`` when it has none.
    private static func opened(_ path: String) throws(MediaError) -> SoundDecoder {
        let decoder = try SoundDecoder(path)
        let clock = MonotonicClock()
        let deadline = clock.now.advanced(by: patience)
        while clock.now < deadline {
            switch decoder.next(within: .milliseconds(50)) {
            case .block: return decoder
            case .ended: throw MediaError(kind: .failed, reason: "it has no sound")
            case .failed(let error): throw error
            case .nothing: break
            }
        }
        throw MediaError(kind: .failed, reason: "no sound was decoded within \(patience.components.seconds) s")
    }
}
#endif
