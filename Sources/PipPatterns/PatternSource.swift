internal import PipCompose
public import PipFrames
public import PipGraph
internal import PipSources

/// A source of generated pictures: test signals, and two scenes for trials without a camera.
///
/// ```swift
/// import PipCompose
/// import PipPatterns
///
/// let back = PatternSource(.scene)
/// ```
public final class PatternSource: FrameProducer {
    public let node: GraphNode

    /// - Parameters:
    ///   - pattern: The pattern to generate.
    ///   - size: The size of the frames, 1 to 16384 pixels a side.
    ///   - frameRate: The number of frames per second. The scenes move at the same speed at any rate.
    ///   - seed: The seed of scenes and noise. For ``Pattern/scene``, an even seed shows the road, an odd seed the
    ///     driver.
    ///   - format: The pixel format: `i420` or `nv12`.
    public init(
        _ pattern: Pattern, size: PixelSize = .hd720, frameRate: FrameRate = FrameRate(30), seed: UInt64 = 0,
        format: PixelFormat = .i420
    ) {
        let options = PatternOptions(pattern, size: size, rate: frameRate, format: format, seed: seed)
        node = GraphNode(
            .source(
                ReaderSpecification(label: "pattern:\(pattern.rawValue)") { () throws(SourceError) in
                    try PatternReader(options)
                }))
    }
}
