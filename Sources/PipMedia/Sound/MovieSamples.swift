#if Media
internal import PipFrames
internal import PipSound

/// The decoded sound of a movie, kept until the mixer reads it.
///
/// A round is one pass of a looping movie. Sound that lasts longer than the pictures of its round is dropped when the
/// next round begins.
struct MovieSamples {
    /// Consecutive stereo samples.
    private struct Piece {
        let round: Int
        /// The number of the piece's first sample, counted from the beginning of the round.
        let offset: Int
        let samples: [Float]

        var end: Int { offset + samples.count / 2 }
    }

    private var pieces: [Piece] = []
    /// The round that is being decoded, and the number of the next sample in it.
    private(set) var decoded = (round: 0, offset: 0)

    /// The number of kept samples of each channel.
    var count: Int { pieces.reduce(0) { $0 + $1.samples.count / 2 } }

    /// Adds the next sound of the current round, and drops sound before the round's beginning.
    ///
    /// - Parameters:
    ///   - samples: Interleaved stereo samples.
    ///   - offset: The number of the first sample in the round; negative before the round's beginning.
    mutating func add(_ samples: [Float], at offset: Int) {
        decoded.offset = offset + samples.count / 2
        guard decoded.offset > 0 else { return }
        let kept = offset < 0 ? Array(samples.dropFirst(-offset * 2)) : samples
        pieces.append(Piece(round: decoded.round, offset: max(0, offset), samples: kept))
    }

    /// Starts the next round, whose first sample has the number 0.
    mutating func beginRound() { decoded = (decoded.round + 1, 0) }

    /// True when all sound before sample `frame` of the movie has been decoded.
    func isReady(upTo frame: Int, _ rounds: [MovieTiming.Round]) -> Bool {
        guard let round = rounds.last(where: { $0.firstFrame < frame }) else { return true }
        return decoded.round > round.number
            || (decoded.round == round.number && round.firstFrame + decoded.offset >= frame)
    }

    /// Copies the sound from sample `frame` of the movie on into a block, and discards sound that no later block needs.
    ///
    /// - Parameters:
    ///   - block: A silent stereo block.
    ///   - frame: The number of the block's first sample, counted from the movie's beginning.
    ///   - end: The number of the sample from which on the movie is silent.
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
    /// The number of the round's first sample, counted from the movie's beginning.
    var firstFrame: Int { start.soundFrames }
}

extension Duration {
    /// The duration in samples at the house rate, rounded.
    var soundFrames: Int { Int(max(-1e15, min(1e15, (inSeconds * Double(AudioFormat.houseRate)).rounded()))) }
}
#endif
