#if Media
internal import PipFrames
internal import PipSound

/// The sound of a ``MovieSource``, in step with its pictures: the same part, the same loops, the same beginning.
///
/// Add it to a mixer whose outputs show the movie.
///
/// ```swift
/// let clip = MovieSource("clip.mp4", loops: true)
/// let sound = AudioMixer()
/// sound.add(MovieSound(clip))
/// ```
///
/// It plays the file's first sound stream. It begins with the first shown picture, and ends with the last one, or when
/// the movie is removed from the picture. It is silent where the file has a gap, and while the movie is not shown. A
/// file without any sound keeps the session from starting.
public struct MovieSound: AudioSource {
    private let path: String
    private let options: MovieReader.Options
    private let timing: MovieTiming

    /// - Parameter movie: A movie that the same session shows.
    public init(_ movie: MovieSource) { (path, options, timing) = (movie.path, movie.options, movie.timing) }

    public var label: String { path }

    public var opening: AudioOpening {
        AudioOpening { [self] (context) throws(SoundError) in
            do throws(MediaError) {
                return MovieTrack(
                    try SoundDecoder.opened(path).decoder, of: path, options: options, timing: timing, context: context)
            } catch { throw SoundError(.unavailable, subject: path, operation: "play its sound", reason: error.reason) }
        }
    }
}
#endif
