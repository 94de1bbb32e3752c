/// A keyframe animation of a layer, played in output time, once or in a loop.
///
/// Time 0 is the first frame in which the layer is drawn with the keyframes. Before the first keyframe, the layer has
/// the first keyframe's state. After the last keyframe, the layer keeps the last keyframe's state, or the loop begins
/// again.
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

    /// Sorts keyframes by their times.
    ///
    /// If two keyframes have equal times, the later one in the list counts as later.
    ///
    /// - Parameters:
    ///   - frames: The keyframes, in any order. A property that a keyframe leaves out is interpolated between the
    ///     nearest keyframes that set the property. A property that no keyframe sets keeps the layer's own value.
    ///   - loops: True to begin again after the last keyframe.
    public init(_ frames: [Keyframe], loops: Bool = false) {
        self.frames = frames.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
            .map(\.element)
        self.loops = loops
    }

    /// The time of the last keyframe; zero without keyframes.
    public var duration: Duration { frames.last?.time ?? .zero }

    /// True when the animation has ended by `time`, so that the layer no longer changes.
    package func isOver(at time: Duration) -> Bool { time >= duration && !(loops && duration > .zero) }

    /// Sets a layer's place, motion and look to their values at a time.
    ///
    /// - Parameters:
    ///   - record: The layer. A property that no keyframe sets stays unchanged.
    ///   - time: The time since the first frame with the keyframes.
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

    /// The property's values before and after a time, and the eased progress from the first to the second.
    ///
    /// Before the property's first keyframe, and from its last one on, both values are that keyframe's, with a progress
    /// of 1. Nil when no keyframe sets the property.
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

/// The state of a layer at one time of its ``Keyframes``.
public struct Keyframe: Sendable, Hashable {
    /// The time since the first frame with the keyframes.
    public var time: Duration
    /// The layer's place; nil interpolates between the nearest keyframes that set a place.
    public var placement: Placement?
    /// The layer's look; nil interpolates between the nearest keyframes that set a look.
    public var look: LayerLook?
    /// The layer's opacity, 0…1, which overrides the look's; nil interpolates between the nearest keyframes that set
    /// an opacity.
    public var opacity: Double?
    /// The easing of the motion from the previous keyframe to this one.
    public var easing: Easing

    /// Creates a keyframe.
    ///
    /// A property of nil is interpolated between the nearest keyframes that set the property.
    ///
    /// - Parameters:
    ///   - time: The time since the first frame with the keyframes; 0 or later.
    ///   - placement: The layer's place.
    ///   - look: The layer's look.
    ///   - opacity: The layer's opacity, 0…1, which overrides the look's.
    ///   - easing: The easing of the motion from the previous keyframe to this one.
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
