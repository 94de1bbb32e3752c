internal import Logging

/// A source node that knows how to open what it stands for.
protocol OpenableSource: SourceSpecification {
    /// Opens it; nothing is read or streamed yet.
    func open(_ id: NodeID, _ context: OpeningContext) throws(SessionError) -> SourceFeed
}

/// What sources need to open.
struct OpeningContext {
    var cameras: CameraDirectory
    var logger: Logger?
    /// Told what happens to a camera, by the source's name.
    var onCameraEvent: @Sendable (NodeID, String, CameraEvent) -> Void
    /// Told of a source that fails while it is read.
    var onError: @Sendable (SourceError) -> Void
}

/// A live camera.
public struct CameraSource: FrameProducer {
    public let node: GraphNode

    /// - Parameters:
    ///   - selector: Which camera.
    ///   - wish: Size, rate, pixel format and controls; what is left out is chosen.
    public init(_ selector: CameraSelector, wish: CameraWish = CameraWish()) {
        node = GraphNode(.source(CameraSpecification(selector: selector, wish: wish)))
    }

    /// `text`: A path such as `/dev/video0`, `camera:1`, or a part of the camera's name.
    public init(_ text: String, wish: CameraWish = CameraWish()) {
        self.init(CameraSelector(text) ?? .name(text), wish: wish)
    }
}

struct CameraSpecification: OpenableSource {
    var selector: CameraSelector
    var wish: CameraWish
    var label: String { selector.description }

    func open(_ id: NodeID, _ context: OpeningContext) throws(SessionError) -> SourceFeed {
        do throws(CaptureError) {
            let device = try context.cameras.camera(matching: selector)
            let name = label
            let calls = context.cameras.calls
            let camera = try Camera(device, wish: wish, calls: calls, logger: context.logger) { event in
                context.onCameraEvent(id, name, event)
            }
            let format = SourceFormat(layout: camera.format.layout, colorimetry: camera.format.colorimetry)
            return SourceFeed(
                id: id, name: label, inlet: .camera(camera), format: format, rate: camera.format.frameRate)
        } catch {
            throw .camera(error)
        }
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

/// A PNG or JPEG picture, shown for ever.
public struct StillSource: FrameProducer {
    public let node: GraphNode

    public init(_ path: String) {
        node = GraphNode(
            .source(ReaderSpecification(label: path) { () throws(SourceError) in try StillReader(path: path) }))
    }
}

/// A Y4M stream.
public struct Y4MSource: FrameProducer {
    public let node: GraphNode

    /// - Parameters:
    ///   - path: A file, a named pipe, or `-` for the standard input.
    ///   - loops: Whether it begins again at its end, for ever.
    public init(_ path: String, loops: Bool = false) {
        node = GraphNode(
            .source(
                ReaderSpecification(label: path == "-" ? "standard input" : path) { () throws(SourceError) in
                    try Y4MReader(path: path, loops: loops)
                }))
    }
}

/// A file of bare frames.
public struct RawSource: FrameProducer {
    public let node: GraphNode

    /// `path`.
    ///
    /// A file, a named pipe, or `-` for the standard input. `loops`: Whether it begins again at its end, for ever.
    public init(
        _ path: String, format: PixelFormat, size: PixelSize, frameRate: FrameRate = FrameRate(30), loops: Bool = false
    ) {
        var options = RawOptions(format: format, size: size, rate: frameRate)
        options.loops = loops
        node = GraphNode(
            .source(
                ReaderSpecification(label: path == "-" ? "standard input" : path) { [options] () throws(SourceError) in
                    try RawReader(path: path, options: options)
                }))
    }
}

/// A source that is read frame by frame.
struct ReaderSpecification: OpenableSource {
    var label: String
    var makeReader: @Sendable () throws(SourceError) -> sending any FrameReader

    func open(_ id: NodeID, _ context: OpeningContext) throws(SessionError) -> SourceFeed {
        do throws(SourceError) {
            let source = ReaderSource(try makeReader(), onError: context.onError)
            let description = source.description
            let format = SourceFormat(
                layout: description.layout, colorimetry: description.colorimetry, orientation: description.orientation)
            if let note = description.note { context.logger?.warning("\(label): \(note)") }
            return SourceFeed(id: id, name: label, inlet: .reader(source), format: format, rate: description.rate)
        } catch {
            throw .source(error)
        }
    }
}

/// Frames that the app pushes in; the newest one is shown.
public struct AppSource: FrameProducer {
    public let node: GraphNode
    private let inlet: PushSource

    /// `name`.
    ///
    /// How messages refer to it. `layout`: Of all frames.
    public init(
        _ name: String, layout: FrameLayout, colorimetry: Colorimetry? = nil, frameRate: FrameRate = FrameRate(30)
    ) {
        let inlet = PushSource(
            SourceDescription(
                name: name, layout: layout, colorimetry: colorimetry ?? .assumed(for: layout.format, layout.size),
                rate: frameRate, length: .unknown))
        self.inlet = inlet
        node = GraphNode(.source(AppSpecification(label: name, inlet: inlet)))
    }

    /// Pushes a frame without copying it; its pixels must not change as long as anyone has it.
    ///
    /// From any thread.
    ///
    /// - Returns: Whether it went in.
    /// - Throws: ``SourceError`` when it has another layout.
    @discardableResult
    public func push(_ frame: Frame) throws(SourceError) -> Bool {
        switch try inlet.push(frame) {
        case .accepted, .acceptedInPlaceOfOlder: true
        case .dropped, .closed: false
        }
    }

    /// Pushes a copy of pixels.
    ///
    /// From any thread.
    ///
    /// `bytes`: Memory from which the layout's offsets count.
    /// - Returns: Whether it went in; false when all memory is in use, or the session has ended.
    /// - Throws: ``SourceError`` when the bytes do not hold such a frame.
    @discardableResult
    public func push(copying bytes: RawSpan, layout: FrameLayout) throws(SourceError) -> Bool {
        switch try inlet.push(copying: bytes, layout: layout, timestamp: MonotonicClock().now) {
        case .accepted, .acceptedInPlaceOfOlder: true
        case .dropped, .closed: false
        }
    }
}

struct AppSpecification: OpenableSource {
    var label: String
    var inlet: PushSource

    func open(_ id: NodeID, _ context: OpeningContext) throws(SessionError) -> SourceFeed {
        let description = inlet.description
        let format = SourceFormat(
            layout: description.layout, colorimetry: description.colorimetry, orientation: description.orientation)
        return SourceFeed(id: id, name: label, inlet: .app(inlet), format: format, rate: description.rate)
    }
}

/// The panel that stands for a source without frames.
struct SlateSpecification: SourceSpecification {
    var label: String
}
