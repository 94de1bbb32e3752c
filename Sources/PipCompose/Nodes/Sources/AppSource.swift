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
