/// States of a layer at moments, between which it moves: played at the output's own time, once or in a loop.
///
/// Time 0 is the first frame that the layer is drawn with them. Before the first keyframe and after the last, the layer
/// is as that keyframe says.
///
/// ```swift
/// try inset.update {
///     $0.keyframes = Keyframes([
///         Keyframe(at: .zero, opacity: 0),
///         Keyframe(at: .seconds(1), opacity: 1, easing: .easeOut),
///     ])
/// }
/// ```
public struct Keyframes: Sendable, Hashable {
    /// The keyframes in the order of their times.
    public private(set) var frames: [Keyframe]
    /// True when the motion begins again after the last keyframe.
    public var loops: Bool

    /// Keyframes in any order.
    ///
    /// Of two with equal times, the later one in the list counts as later.
    ///
    /// - Parameters:
    ///   - frames: The states. A property that a keyframe leaves out is interpolated between the keyframes around it.
    ///   - loops: True to begin again after the last keyframe.
    public init(_ frames: [Keyframe], loops: Bool = false) {
        self.frames = frames.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
            .map(\.element)
        self.loops = loops
    }

    /// The time of the last keyframe.
    public var duration: Duration { frames.last?.time ?? .zero }

    /// True when the layer does not change any more from a time on.
    package func isOver(at time: Duration) -> Bool { time >= duration && !(loops && duration > .zero) }

    /// Sets a layer's place and look to their values at a moment.
    ///
    /// - Parameters:
    ///   - record: The layer. A property that no keyframe mentions stays.
    ///   - time: The time since the first frame.
    package func pose(_ record: inout LayerRecord, at time: Duration) {
        var time = max(time, .zero)
        if loops && duration > .zero { time -= duration * Int(time / duration) }
        if let (from, to, share) = span(at: time, \.placement) {
            record.placement = to
            if share < 1 {
                var motion = LayerMotion()
                (motion.origin, motion.progress) = (.placement(from), share)
                record.motion = motion
            }
        }
        if let (from, to, share) = span(at: time, \.look) { record.look = from.moved(to: to, by: share) }
        if let (from, to, share) = span(at: time, \.opacity) {
            record.look.opacity = from.moved(to: to, by: share)
        }
    }

    /// The values around a time, and the share of the way between them; nil where no keyframe has a value.
    private func span<Value>(
        at time: Duration, _ value: KeyPath<Keyframe, Value?>
    ) -> (from: Value, to: Value, share: Double)? {
        var last: (time: Duration, value: Value)?
        for frame in frames {
            guard let next = frame[keyPath: value] else { continue }
            if time < frame.time {
                guard let last else { return (next, next, 1) }
                return (last.value, next, frame.easing.progress(at: (time - last.time) / (frame.time - last.time)))
            }
            last = (frame.time, next)
        }
        return last.map { ($0.value, $0.value, 1) }
    }
}

/// The state of a layer at a moment of ``Keyframes``.
public struct Keyframe: Sendable, Hashable {
    /// The time since the first frame.
    public var time: Duration
    /// The place; nil leaves it to the other keyframes.
    public var placement: Placement?
    /// The look; nil leaves it to the other keyframes.
    public var look: LayerLook?
    /// The opacity, in place of the look's, 0…1; nil leaves it to the other keyframes.
    public var opacity: Double?
    /// The course of the motion from the keyframe before.
    public var easing: Easing

    /// A keyframe.
    ///
    /// - Parameters:
    ///   - time: The time since the first frame; 0 or later.
    ///   - placement: The place.
    ///   - look: The look.
    ///   - opacity: The opacity, in place of the look's.
    ///   - easing: The course of the motion from the keyframe before.
    public init(
        at time: Duration, placement: Placement? = nil, look: LayerLook? = nil, opacity: Double? = nil,
        easing: Easing = .linear
    ) {
        self.time = time
        self.placement = placement
        self.look = look
        self.opacity = opacity
        self.easing = easing
    }
}
