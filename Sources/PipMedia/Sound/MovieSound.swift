#if Media
internal import PipFrames
internal import PipSound

/// The sound of a ``MovieSource``, in step with its pictures: the same part, the same loops, the same start.
///
/// Add the sound to a mixer whose outputs show the movie.
///
/// ```swift
/// let clip = MovieSource("clip.mp4", loops: true)
/// let sound = AudioMixer()
/// sound.add(MovieSound(clip))
/// ```
///
/// The file's first sound stream is played. The sound begins with the first shown picture, and ends with the last
/// picture or when the movie is removed from the composition.
///
/// The sound is silent where the file has a gap, and while the movie is not shown. A session cannot start with the
/// sound of a file that has no sound.
public struct MovieSound: AudioSource {
    private let path: String
    private let options: MovieReader.Options
    private let timing: MovieTiming

    /// Creates the sound of a movie.
    ///
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
