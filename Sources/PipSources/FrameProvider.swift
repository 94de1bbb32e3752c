package import PipConcurrency
public import PipFrames

/// A custom source of an app, which provides one frame after the other on request.
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
/// Implement this protocol for frames that the app makes on request. Push frames that arrive by themselves into
/// ``AppSource`` of PipCompose.
///
/// The source requests only a few frames ahead of time, and shows them at the rate of ``format``. A late frame is shown
/// when it arrives, and older frames are dropped.
///
/// Thread: the source reads ``format`` when it is opened, and makes all calls except ``stop()`` on one thread of its
/// own, which the calls may block.
public protocol FrameProvider: AnyObject {
    /// The format of the provided frames.
    ///
    /// The format must be constant.
    var format: ProvidedFormat { get }

    /// Prepares the provider for the first frame; called at most once, before the first ``nextFrame(into:index:)``.
    func start() throws

    /// Fills a buffer with the next frame.
    ///
    /// - Parameters:
    ///   - buffer: The memory for the format's layout; see ``FrameBuffer/withMutablePlane(_:of:_:)``.
    ///   - index: The number of the frame, from 0.
    /// - Returns: True when the buffer holds a frame; false at the end of the source.
    /// - Throws: An error that ends the source. The session reports it with the source's name, and continues.
    func nextFrame(into buffer: FrameBuffer, index: Int) throws -> Bool

    /// Makes a waiting ``nextFrame(into:index:)`` return soon.
    ///
    /// A source that has begun to read calls this function when the source is closed. A call of
    /// ``nextFrame(into:index:)`` that begins at the same moment must return soon, too.
    ///
    /// Thread: a different thread from the other calls, possibly while another call runs.
    func stop()
}

/// The format, rate and length of the frames of a ``FrameProvider``.
public struct ProvidedFormat: Sendable, Equatable {
    /// The layout of all frames.
    public var layout: FrameLayout
    /// The colour encoding of all frames.
    public var colorimetry: Colorimetry
    /// The transform that turns the frames upright.
    public var orientation: Orientation
    /// The rate at which the source shows the frames: frame n is due n / `frameRate` seconds after frame 0.
    public var frameRate: FrameRate
    /// The number of frames; nil when it is unknown or infinite.
    public var frameCount: Int?

    /// - Parameters:
    ///   - layout: The layout of all frames.
    ///   - frameRate: The rate at which the source shows the frames.
    ///   - colorimetry: The colour encoding; nil assumes sRGB for RGB, and for Y'CbCr BT.709 above 576 rows and BT.601
    ///     otherwise.
    ///   - orientation: The transform that turns the frames upright.
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

/// Reads the frames of an app's provider.
package final class ProviderReader: FrameReader {
    package let description: SourceDescription
    package let interruption = Interruption()
    private let provider: any FrameProvider
    private var isStarted = false

    /// Makes a reader of a provider's frames, and a function that calls the provider's ``FrameProvider/stop()``.
    package static func make(
        _ name: String, _ provider: sending any FrameProvider
    ) -> (reader: ProviderReader, stop: @Sendable () -> Void) {
        // The protocol requires providers to accept only `stop()` on another thread.
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
        var operation = "start"
        do {
            if !isStarted, !interruption.isRaised {
                try provider.start()
                isStarted = true
            }
            // After the provider's `stop()`, nothing would end a wait that begins.
            guard !interruption.isRaised else { return false }
            operation = "provide frame \(index)"
            return try provider.nextFrame(into: buffer, index: index)
        } catch {
            throw SourceError(description.name, operation, .failed, "\(error)")
        }
    }
}
