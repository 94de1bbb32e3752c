internal import PipCompose
public import PipFrames
public import PipGraph
internal import PipSources

/// A source of generated pictures: test signals, and two scenes for trying things out without a camera.
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
    ///   - pattern: The picture.
    ///   - size: The size in pixels, 1 to 16384 a side.
    ///   - frameRate: Frames a second; the scenes move at the same speed at any rate.
    ///   - seed: The seed of scenes and noises. An even one shows the road, an odd one the driver.
    ///   - format: `i420` or `nv12`.
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
