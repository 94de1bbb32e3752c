/// A source whose frames the app pushes; the session shows the newest one.
public final class AppSource: FrameProducer {
    public let node: GraphNode
    private let inlet: PushSource

    /// - Parameters:
    ///   - name: The name in messages.
    ///   - layout: The layout of all frames.
    ///   - colorimetry: The frames' colorimetry. Nil assumes sRGB for RGB, BT.709 for Y'CbCr above 576 rows, and BT.601
    ///     for other Y'CbCr.
    ///   - frameRate: The highest rate at which the app pushes frames.
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

    /// Pushes a frame without copying it.
    ///
    /// The frame's pixels must not change while anyone holds the frame.
    ///
    /// Thread: any.
    ///
    /// - Returns: True when the source took the frame, even in place of an older one that waits. False when the session
    ///   has ended, or has removed the source.
    /// - Throws: ``SourceError`` when the frame has another layout, or less memory than its layout needs.
    @discardableResult
    public func push(_ frame: Frame) throws(SourceError) -> Bool {
        switch try inlet.push(frame) {
        case .accepted, .acceptedInPlaceOfOlder: true
        case .dropped, .closed: false
        }
    }

    /// Pushes a copy of pixels, timestamped with the present time.
    ///
    /// Thread: any.
    ///
    /// - Parameters:
    ///   - bytes: The memory that the offsets of `layout` refer to.
    ///   - layout: The layout of `bytes`: the source's format and size, but rows may be padded differently.
    /// - Returns: True when the source took the copy, even in place of an older frame that waits. False when all its
    ///   buffers are in use, or the session has ended or has removed the source.
    /// - Throws: ``SourceError`` when `layout` has another format or size, or does not fit `bytes`.
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
        return SourceFeed(id: id, name: label, inlet: AppInlet(source: inlet), format: format, rate: description.rate)
    }
}

/// Takes the newest frame that an app has pushed.
private struct AppInlet: Inlet {
    let source: PushSource

    var isLive: Bool { true }
    var isFinished: Bool { source.isFinished }

    func start(at offset: Duration) {}
    func stop() { source.finish() }

    func take(_ moment: InletMoment) -> Intake {
        var intake = Intake()
        while let next = source.frames.popFirst(where: { _ in true }) {
            if intake.frame != nil { intake.passedOver += 1 }
            intake.frame = next
        }
        return intake
    }

    func report(_ statistics: inout SessionStatistics.Source, passedOver: Int) {
        statistics.kind = .app
        statistics.drops = source.drops
        statistics.drops[.late] += passedOver
        statistics.delivered = statistics.used + statistics.drops.total
    }
}
