#if Media
internal import PipFrames

/// The moments of packets in a file that is joined of several.
struct JoinedTime {
    /// The rate of all pictures, whose moments are then exact, whatever containers round to; nil takes those of the
    /// files.
    let rate: FrameRate?
    /// Where the last picture ends.
    private(set) var end = Duration.zero
    /// Where the part at hand begins.
    private var base = Duration.zero
    /// The same in frames.
    private var baseFrame = 0
    private var endFrame = 0
    /// The part's own time of its first picture.
    private var origin: Timestamp?

    /// How far a container may be off: Matroska counts milliseconds.
    private static let tolerance = Duration.milliseconds(2)

    init(rate: FrameRate?) { self.rate = rate }

    /// Goes on with another part.
    mutating func beginPart() { (base, baseFrame, origin) = (end, endFrame, nil) }

    /// A picture of the part, at its moment in the whole.
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

    /// Sound of the part, beside its pictures.
    func beside(_ sound: Packet) -> Packet {
        sound.moved(to: .zero.advanced(by: base + (origin ?? sound.time).duration(to: sound.time)))
    }

    /// The number of the frame at a time; nil where there is none.
    private func frame(at time: Duration, _ rate: FrameRate) -> Int? {
        let frame = Int((time.inSeconds * rate.framesPerSecond).rounded())
        guard frame >= 0, abs((rate.offset(ofFrame: frame) - time).nanoseconds) <= Self.tolerance.nanoseconds else {
            return nil
        }
        return frame
    }
}
#endif
