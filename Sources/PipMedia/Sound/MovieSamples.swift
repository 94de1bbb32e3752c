#if Media
internal import PipFrames
internal import PipSound

/// Decoded sound of a movie that waits to be heard, by the rounds of its pictures.
///
/// What a round has at its end beyond its pictures is not heard once the next one has begun.
struct MovieSamples {
    /// Consecutive frames of stereo.
    private struct Piece {
        let round: Int
        /// The frame of its round with which it begins.
        let offset: Int
        let samples: [Float]

        var end: Int { offset + samples.count / 2 }
    }

    private var pieces: [Piece] = []
    /// The round that is being decoded, and the frame of it that comes next.
    private(set) var decoded = (round: 0, offset: 0)

    /// Frames that wait.
    var count: Int { pieces.reduce(0) { $0 + $1.samples.count / 2 } }

    /// Adds what follows in a round; what lies before its beginning is left out.
    mutating func add(_ samples: [Float], at offset: Int) {
        decoded.offset = offset + samples.count / 2
        guard decoded.offset > 0 else { return }
        let kept = offset < 0 ? Array(samples.dropFirst(-offset * 2)) : samples
        pieces.append(Piece(round: decoded.round, offset: max(0, offset), samples: kept))
    }

    /// Begins with the next round.
    mutating func beginRound() { decoded = (decoded.round + 1, 0) }

    /// True when all was decoded that is heard before a frame of the movie.
    func isReady(upTo frame: Int, _ rounds: [MovieTiming.Round]) -> Bool {
        guard let round = rounds.last(where: { $0.firstFrame < frame }) else { return true }
        return decoded.round > round.number
            || (decoded.round == round.number && round.firstFrame + decoded.offset >= frame)
    }

    /// Fills a block of stereo with the sound from a frame of the movie on, and lets go of it.
    ///
    /// - Parameters:
    ///   - block: Silent.
    ///   - frame: The first frame.
    ///   - end: The first frame that is not heard any more.
    ///   - rounds: Of the pictures.
    mutating func read(into block: inout AudioBlock, from frame: Int, end: Int, _ rounds: [MovieTiming.Round]) {
        let last = frame + block.frames
        var kept: [Piece] = []
        for piece in pieces {
            guard let index = rounds.firstIndex(where: { $0.number == piece.round }) else {
                if piece.round > rounds.last?.number ?? -1 { kept.append(piece) }
                continue
            }
            let start = rounds[index].firstFrame
            let limit = min(end, index + 1 < rounds.count ? rounds[index + 1].firstFrame : .max)
            let beginning = max(frame, start + piece.offset)
            let ending = max(beginning, min(last, limit, start + piece.end))
            let (source, target) = (2 * (beginning - start - piece.offset), 2 * (beginning - frame))
            let count = 2 * (ending - beginning)
            if count > 0 {
                unsafe block.withSamples { samples in
                    unsafe piece.samples.withUnsafeBufferPointer { heard in
                        _ = unsafe UnsafeMutableBufferPointer(rebasing: samples[target..<target + count])
                            .update(fromContentsOf: heard[source..<source + count])
                    }
                }
            }
            if start + piece.end > last, start + piece.offset < limit, limit > last { kept.append(piece) }
        }
        pieces = kept
    }
}

extension MovieTiming.Round {
    /// The movie's frame of sound with which it begins.
    var firstFrame: Int { start.soundFrames }
}

extension Duration {
    /// The nearest number of frames of sound.
    var soundFrames: Int { Int(max(-1e15, min(1e15, (inSeconds * Double(AudioFormat.houseRate)).rounded()))) }
}
#endif
