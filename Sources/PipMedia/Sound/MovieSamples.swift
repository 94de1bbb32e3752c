#if Media
internal import PipFrames
internal import PipSound

/// The decoded sound of a movie, kept until it is heard, by the rounds of the movie's pictures.
///
/// Sound of a round that exceeds its pictures is dropped when the next round has begun.
struct MovieSamples {
    /// Consecutive frames of stereo.
    private struct Piece {
        let round: Int
        /// The piece's first frame within its round.
        let offset: Int
        let samples: [Float]

        var end: Int { offset + samples.count / 2 }
    }

    private var pieces: [Piece] = []
    /// The round that is being decoded, and its next frame.
    private(set) var decoded = (round: 0, offset: 0)

    /// The number of waiting frames.
    var count: Int { pieces.reduce(0) { $0 + $1.samples.count / 2 } }

    /// Adds the next sound of the round; drops sound before the round's beginning.
    mutating func add(_ samples: [Float], at offset: Int) {
        decoded.offset = offset + samples.count / 2
        guard decoded.offset > 0 else { return }
        let kept = offset < 0 ? Array(samples.dropFirst(-offset * 2)) : samples
        pieces.append(Piece(round: decoded.round, offset: max(0, offset), samples: kept))
    }

    /// Begins with the next round.
    mutating func beginRound() { decoded = (decoded.round + 1, 0) }

    /// True when all sound before a frame of the movie was decoded.
    func isReady(upTo frame: Int, _ rounds: [MovieTiming.Round]) -> Bool {
        guard let round = rounds.last(where: { $0.firstFrame < frame }) else { return true }
        return decoded.round > round.number
            || (decoded.round == round.number && round.firstFrame + decoded.offset >= frame)
    }

    /// Copies sound from a frame of the movie on into a block, and discards it.
    ///
    /// - Parameters:
    ///   - block: A silent block of stereo.
    ///   - frame: The movie's frame of the block's beginning.
    ///   - end: The movie's frame from which on silence follows.
    ///   - rounds: The rounds of the pictures.
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
            if count > 0 { block.replaceSamples(from: target, with: piece.samples[source..<source + count]) }
            if start + piece.end > last, start + piece.offset < limit, limit > last { kept.append(piece) }
        }
        pieces = kept
    }
}

extension MovieTiming.Round {
    /// The movie's sound frame at the beginning of the round.
    var firstFrame: Int { start.soundFrames }
}

extension Duration {
    /// The duration as a number of sound frames, rounded.
    var soundFrames: Int { Int(max(-1e15, min(1e15, (inSeconds * Double(AudioFormat.houseRate)).rounded()))) }
}
#endif
