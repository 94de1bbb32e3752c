package import PipConcurrency
public import PipFrames

/// A custom source of an app: started once, then asked for one frame after the other, then stopped.
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
/// Implement it for frames that the app makes on request. For frames that arrive by themselves, push them into
/// ``AppSource`` of PipCompose.
///
/// The source requests a few frames ahead of time, never more, and shows them at the rate of ``format``. A late frame
/// is shown when it arrives, and older ones are dropped.
///
/// Thread: one thread of the source's own makes all calls except ``stop()``, and may block.
public protocol FrameProvider: AnyObject {
    /// The format of the provided frames.
    ///
    /// It must be constant.
    var format: ProvidedFormat { get }

    /// Prepares for the first frame.
    func start() throws

    /// Fills a buffer with the next frame.
    ///
    /// - Parameters:
    ///   - buffer: The memory for the format's layout; see ``FrameBuffer/withMutablePlane(_:of:_:)``.
    ///   - index: The number of the frame, from 0.
    /// - Returns: False at the end: the source has no more frames.
    /// - Throws: An error that ends the source. The session reports it with the source's name, and continues.
    func nextFrame(into buffer: FrameBuffer, index: Int) throws -> Bool

    /// Ends a waiting ``nextFrame(into:index:)`` soon.
    ///
    /// It is called once, as the last call.
    ///
    /// Thread: another than that of the other calls.
    func stop()
}

/// The format, rate and length of the frames of a ``FrameProvider``.
public struct ProvidedFormat: Sendable, Equatable {
    /// The layout of all frames.
    public var layout: FrameLayout
    /// The frames' colours.
    public var colorimetry: Colorimetry
    /// The orientation for display.
    public var orientation: Orientation
    /// The rate of the frames.
    public var frameRate: FrameRate
    /// The number of frames; nil when it is unknown or infinite.
    public var frameCount: Int?

    /// - Parameters:
    ///   - layout: The layout of all frames.
    ///   - frameRate: The rate of the frames.
    ///   - colorimetry: The colour encoding; nil assumes sRGB for RGB, and for Y'CbCr BT.709 above 576 rows and BT.601
    ///     below.
    ///   - orientation: The orientation for display.
    ///   - frameCount: The number of frames; nil when it is unknown or infinite.
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

/// An adapter that reads an app's provider.
package final class ProviderReader: FrameReader {
    package let description: SourceDescription
    package let interruption = Interruption()
    private let provider: any FrameProvider
    private var isStarted = false

    /// Makes a reader of a provider, and a function that ends the provider's waits.
    package static func make(
        _ name: String, _ provider: sending any FrameProvider
    ) -> (reader: ProviderReader, stop: @Sendable () -> Void) {
        // The protocol allows `stop()` alone on another thread.
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
