/// A source of generated pictures.
public struct PatternSource: FrameProducer {
    public let node: GraphNode

    /// `seed`.
    ///
    /// Tells scenes and noises apart. `format`: `i420` or `nv12`.
    public init(
        _ pattern: Pattern, size: PixelSize = .hd720, frameRate: FrameRate = FrameRate(30), seed: UInt64 = 0,
        format: PixelFormat = .i420
    ) {
        let kind: PatternOptions.Kind =
            switch pattern {
            case .bars: .bars
            case .scene: .scene
            case .ramp: .ramp
            case .noise: .noise
            }
        let options = PatternOptions(kind, size: size, rate: frameRate, format: format, seed: seed)
        node = GraphNode(
            .source(
                ReaderSpecification(label: "pattern:\(pattern.rawValue)") { () throws(SourceError) in
                    try PatternReader(options)
                }))
    }
}

/// A generated picture.
public enum Pattern: String, Sendable, CaseIterable {
    /// Colour bars with the frame's number.
    case bars
    /// Something that moves: a drive at dusk, or, with an odd seed, the driver.
    case scene
    /// All codes of luma and chroma.
    case ramp
    /// Noise that is the same for the same seed.
    case noise
}
