#if Media
internal import PipFrames

/// The times of packets in a file that is joined from several.
struct JoinedTime {
    /// The rate that makes all pictures' times exact, whatever containers round them to; nil keeps the files' own
    /// times.
    let rate: FrameRate?
    /// The end of the last picture.
    private(set) var end = Duration.zero
    /// The beginning of the current part.
    private var base = Duration.zero
    /// The beginning of the current part, in frames.
    private var baseFrame = 0
    private var endFrame = 0
    /// The time of the part's first picture within the part.
    private var origin: Timestamp?

    /// The largest rounding error of a container: Matroska counts milliseconds.
    private static let tolerance = Duration.milliseconds(2)

    init(rate: FrameRate?) { self.rate = rate }

    /// Begins the next part.
    mutating func beginPart() { (base, baseFrame, origin) = (end, endFrame, nil) }

    /// Moves a picture of the part to its time in the whole.
    mutating func placed(_ picture: Packet) -> Packet {
        let origin = origin ?? picture.time
        self.origin = origin
        let offset = origin.duration(to: picture.time)
        guard let rate, let frame = frame(at: offset, rate) else {
            let time = base + offset
            end = max(end, time + picture.duration)
            endFrame = rate.map { $0.index(at: end) } ?? 0
            return picture.moved(to: .zero.advanced(by: time))
        }
        endFrame = max(endFrame, baseFrame + frame + 1)
        end = rate.offset(ofFrame: endFrame)
        return picture.moved(to: .zero.advanced(by: rate.offset(ofFrame: baseFrame + frame)))
    }

    /// Moves sound of the part to its time in the whole.
    func placed(sound: Packet) -> Packet {
        sound.moved(to: .zero.advanced(by: base + (origin ?? sound.time).duration(to: sound.time)))
    }

    /// The number of the frame at a time; nil where no frame begins.
    private func frame(at time: Duration, _ rate: FrameRate) -> Int? {
        let frame = Int((time.inSeconds * rate.framesPerSecond).rounded())
        guard frame >= 0, abs((rate.offset(ofFrame: frame) - time).nanoseconds) <= Self.tolerance.nanoseconds else {
            return nil
        }
        return frame
    }
}
#endif
