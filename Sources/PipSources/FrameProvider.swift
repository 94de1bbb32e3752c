package import PipConcurrency
public import PipFrames

/// A source of an app's own: started once, then asked for one frame after the other, then stopped.
///
/// ```swift
/// final class Fade: FrameProvider {
///     let format = ProvidedFormat(layout: FrameLayout(.i420, PixelSize(640, 360)), frameRate: FrameRate(30))
///     func start() throws {}
///     func nextFrame(into buffer: FrameBuffer, index: Int) throws -> Bool { … }
///     func stop() {}
/// }
/// let fade = CustomSource("fade") { Fade() }
/// ```
///
/// All calls but ``stop()`` come from one thread, which belongs to this source: it may block, and frames are asked for
/// a few ahead of time, never more. Frames are shown at the rate that ``format`` gives: a frame that comes later than
/// it is due is shown when it comes, and older ones are left out. For frames that come by themselves, ``AppSource`` in
/// PipCompose takes pushed ones.
public protocol FrameProvider: AnyObject {
    /// The frames that it provides; constant.
    var format: ProvidedFormat { get }

    /// Begins, before the first frame.
    func start() throws

    /// Fills a buffer with the next frame.
    ///
    /// - Parameters:
    ///   - buffer: Memory for the format's layout; see ``FrameBuffer/withMutablePlane(_:of:_:)``.
    ///   - index: Counts the frames from 0.
    /// - Returns: False at the end: the source has no more frames.
    /// - Throws: An error ends the source and is reported with the source's name; the session goes on.
    func nextFrame(into buffer: FrameBuffer, index: Int) throws -> Bool

    /// Ends a ``nextFrame(into:index:)`` that waits, soon; no other call follows. Called from another thread, once.
    func stop()
}

/// The frames of a ``FrameProvider``.
public struct ProvidedFormat: Sendable, Equatable {
    /// The layout of all frames.
    public var layout: FrameLayout
    /// The frames' colours.
    public var colorimetry: Colorimetry
    /// The orientation in which they are shown.
    public var orientation: Orientation
    /// Frames a second.
    public var frameRate: FrameRate
    /// The number of frames; nil when only ``FrameProvider/nextFrame(into:index:)`` tells, or there is no end.
    public var frameCount: Int?

    /// - Parameters:
    ///   - layout: The layout of all frames.
    ///   - frameRate: Frames a second.
    ///   - colorimetry: Nil assumes sRGB for RGB; BT.709 above 576 rows and BT.601 below for Y'CbCr.
    ///   - orientation: The orientation in which they are shown.
    ///   - frameCount: The number of frames, where it is known.
    public init(
        layout: FrameLayout, frameRate: FrameRate = FrameRate(30), colorimetry: Colorimetry? = nil,
        orientation: Orientation = .identity, frameCount: Int? = nil
    ) {
        self.layout = layout
        self.colorimetry = colorimetry ?? .assumed(for: layout.format, layout.size)
        self.orientation = orientation
        self.frameRate = frameRate
        self.frameCount = frameCount
    }
}

/// Reads an app's source as a reader.
package final class ProviderReader: FrameReader {
    package let description: SourceDescription
    package let interruption = Interruption()
    private let provider: any FrameProvider
    private var isStarted = false

    /// A reader of a provider, and what ends the provider's waits.
    package static func make(
        _ name: String, _ provider: sending any FrameProvider
    ) -> (reader: ProviderReader, stop: @Sendable () -> Void) {
        // `stop()` is the one call that comes from another thread, as the protocol says.
        nonisolated(unsafe) let shared = provider
        return unsafe (ProviderReader(name, shared), { unsafe shared.stop() })
    }

    private init(_ name: String, _ provider: any FrameProvider) {
        let format = provider.format
        self.provider = provider
        description = SourceDescription(
            name: name, layout: format.layout, colorimetry: format.colorimetry, orientation: format.orientation,
            rate: format.frameRate, length: format.frameCount.map { .frames($0) } ?? .unknown)
    }

    package func read(into buffer: FrameBuffer, index: Int) throws(SourceError) -> Bool {
        do {
            if !isStarted { try provider.start() }
            isStarted = true
            return try provider.nextFrame(into: buffer, index: index)
        } catch {
            throw SourceError(description.name, "provide frame \(index)", .failed, "\(error)")
        }
    }
}
