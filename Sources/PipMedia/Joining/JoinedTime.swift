#if Media
internal import PipFrames

/// Computes the times of packets in a file that is joined from several files.
struct JoinedTime {
    /// The frame rate of the parts, which removes the container's rounding from the pictures' times; nil keeps the
    /// rounding.
    let rate: FrameRate?
    /// The end of the last picture in the joined file.
    private(set) var end = Duration.zero
    /// The beginning of the current part in the joined file.
    private var base = Duration.zero
    /// The number of frames before the current part.
    private var baseFrame = 0
    private var endFrame = 0
    /// The time of the current part's first picture, as its file states it; nil before that picture.
    private var origin: Timestamp?

    /// The largest difference of times that counts as a container's rounding; Matroska rounds to milliseconds.
    private static let tolerance = Duration.milliseconds(2)

    init(rate: FrameRate?) { self.rate = rate }

    /// Begins the next part where the current part ends.
    mutating func beginPart() { (base, baseFrame, origin) = (end, endFrame, nil) }

    /// Returns a picture of the current part with its time in the joined file.
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

    /// Returns a sound packet of the current part with its time in the joined file.
    func placed(sound: Packet) -> Packet {
        sound.moved(to: .zero.advanced(by: base + (origin ?? sound.time).duration(to: sound.time)))
    }

    /// The number of the frame that begins at a time, within the rounding error; nil where no frame begins.
    private func frame(at time: Duration, _ rate: FrameRate) -> Int? {
        let frame = Int((time.inSeconds * rate.framesPerSecond).rounded())
        guard frame >= 0, abs((rate.offset(ofFrame: frame) - time).nanoseconds) <= Self.tolerance.nanoseconds else {
            return nil
        }
        return frame
    }
}
#endif
