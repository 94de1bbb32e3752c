internal import PipPlan

/// Plays a ``MotionSchedule``: makes the plan of each frame while a layer moves.
///
/// Thread: render thread only.
struct MotionPlayer: Sendable {
    /// A track in play, with the state from which the track starts.
    private struct Part {
        let track: MotionSchedule.Track
        /// The offset of the track's first frame from the output's start; nil before that frame.
        var start: Duration?
        let place: LayerMotion.Origin
        let look: LayerLook
        let visibility: Visibility

        /// The eased progress, 0…1.
        func progress(at time: Duration) -> Double {
            start.map { track.style.easing.progress(at: (time - $0) / track.style.duration) } ?? 0
        }

        func isOver(at time: Duration) -> Bool { start.map { time >= $0 + track.style.duration } ?? false }
    }

    /// The look and visibility of a layer in the latest frame.
    private struct Shown {
        var look: LayerLook
        var visibility: Visibility
    }

    private let schedule: MotionSchedule
    private let state: PlanningState
    private let leaving: Set<NodeID>
    private var parts: [MotionSchedule.Key: Part] = [:]
    /// The offset of the first frame with each layer's keyframes from the output's start, keyed by the keyframes' ID.
    private var keyed: [Int: Duration] = [:]
    private var shown: [NodeID: Shown] = [:]
    /// The layers of the latest plan, keyed by compositor; nil before the first plan.
    private var posed: [NodeID: [LayerRecord]]?
    /// The IDs of the tracks and keyframes that have ended.
    private(set) var ended: Set<Int> = []

    /// Creates a player that continues from the latest frame.
    ///
    /// - Parameters:
    ///   - schedule: The motions. Motions that `previous` already plays go on.
    ///   - state: The facts that plans are made from, with a graph that includes the leaving layers.
    ///   - previous: The player of the frames before; nil when no layer moved or had keyframes.
    ///   - drawn: The plan of the latest frame; nil before the first frame.
    init(_ schedule: MotionSchedule, _ state: PlanningState, after previous: MotionPlayer?, _ drawn: RenderPlan?) {
        self.schedule = schedule
        self.state = state
        leaving = Set(schedule.leaving.map(\.record.id))
        shown = previous?.shown ?? [:]
        for (key, track) in schedule.tracks {
            if let part = previous?.parts[key], part.track.number == track.number {
                parts[key] = part
                continue
            }
            let isLeaving = leaving.contains(key.layer) || track.from.isEnabled
            parts[key] = Part(
                track: track,
                place: drawn?.layers[track.from.id].map { .shown($0.place) } ?? .placement(track.from.placement),
                look: previous?.shown[track.from.id]?.look ?? track.from.look,
                visibility: Visibility(
                    before: track.style.transition, isLeaving: isLeaving,
                    shown: previous?.shown[key.layer]?.visibility))
        }
        let numbers = Set(schedule.keyed.values)
        keyed = previous?.keyed.filter { numbers.contains($0.key) } ?? [:]
        ended = previous?.ended.intersection(numbers.union(schedule.tracks.values.map(\.number))) ?? []
    }

    /// True when all motions have ended, and their last state has been planned.
    private var isAtRest: Bool {
        posed != nil && parts.values.allSatisfy { ended.contains($0.track.number) }
            && schedule.keyed.values.allSatisfy { ended.contains($0) }
    }

    /// Makes the plan of a frame.
    ///
    /// - Parameters:
    ///   - moment: The frame's offset from the output's start.
    ///   - time: The output time, by which effects start and end.
    /// - Returns: The plan; nil when the latest plan still holds, or the frame cannot be planned.
    mutating func plan(at moment: Duration, time: Duration) -> RenderPlan? {
        if isAtRest { return nil }
        let poses = pose(at: moment)
        guard poses != posed else { return nil }
        var state = state
        state.time = time
        for (id, layers) in poses {
            guard case .compositor(var composition)? = state.graph[id] else { continue }
            composition.layers = layers
            state.graph.set(.compositor(composition), for: id)
        }
        // A frame that cannot be planned keeps the latest plan.
        guard let plan = try? state.plan() else { return nil }
        posed = poses
        return plan
    }

    /// Makes plans of frames throughout the motions, so that the plans' programs can be compiled before the frames are
    /// due.
    ///
    /// - Parameter count: The most plans.
    /// - Returns: The plans, without duplicates.
    func rehearsal(_ count: Int) -> Set<RenderPlan> {
        let times = parts.values.map(\.track.style.duration)
        let frames = state.graph.keyframes.filter { schedule.keyed[$0.key] != nil }.values.map(\.duration)
        guard let longest = (times + frames).max() else { return [] }
        var rehearsed = self
        var plans: Set<RenderPlan> = []
        for index in 0..<count {
            if let plan = rehearsed.plan(at: longest * index / count, time: state.time) { plans.insert(plan) }
        }
        return plans
    }

    // MARK: The layers of a frame

    /// The layers of every compositor at a time, in drawing order, keyed by compositor.
    private mutating func pose(at time: Duration) -> [NodeID: [LayerRecord]] {
        var poses: [NodeID: [LayerRecord]] = [:]
        for id in state.graph.order {
            guard case .compositor(let composition)? = state.graph[id] else { continue }
            poses[id] = pose(composition.layers, at: time)
        }
        return poses
    }

    private mutating func pose(_ records: [LayerRecord], at time: Duration) -> [LayerRecord] {
        var places: [(record: LayerRecord, index: Int)] = []
        for (index, record) in records.enumerated() {
            var place = (record: record, index: index)
            pose(&place.record, at: time)
            if let (part, share) = part(.order, of: record.id, at: time), share < 0.5 {
                (place.record.z, place.index) = (part.track.from.z, part.track.index)
            }
            places.append(place)
        }
        return places.sorted { ($0.record.z, $0.index) < ($1.record.z, $1.index) }.map(\.record)
    }

    private mutating func pose(_ record: inout LayerRecord, at time: Duration) {
        let id = record.id
        if let number = schedule.keyed[id], let keyframes = record.keyframes {
            let start = keyed[number] ?? time
            keyed[number] = start
            keyframes.pose(&record, at: time - start)
            if keyframes.isOver(at: time - start) { ended.insert(number) }
        }
        if let (part, share) = part(.place, of: id, at: time), share < 1, record.motion == nil {
            var motion = LayerMotion()
            (motion.origin, motion.progress) = (part.place, share)
            record.motion = motion
        }
        if let (part, share) = part(.look, of: id, at: time) {
            record.look = part.look.moved(to: record.look, by: share)
        }
        let isMeant = record.isEnabled && !leaving.contains(id)
        var visibility = isMeant ? Visibility.whole : .none
        if let (part, share) = part(.visibility, of: id, at: time, waits: isMeant && isAwaited(record)) {
            let end = isMeant ? .whole : part.visibility.gone(by: part.track.style.transition)
            visibility = share < 1 ? part.visibility.moved(to: end, by: share) : visibility
        }
        shown[id] = Shown(look: record.look, visibility: visibility)
        record.isEnabled = visibility != .none
        record.look.opacity *= visibility.fade
        if visibility.right != 0 || visibility.down != 0 {
            var motion = record.motion ?? LayerMotion()
            (motion.right, motion.down) = (visibility.right, visibility.down)
            record.motion = motion
        }
    }

    /// The track of a layer's property, with its eased progress; nil when the property has no track.
    ///
    /// A track that has not begun begins now, unless `waits` is true.
    private mutating func part(
        _ aspect: MotionSchedule.Aspect, of layer: NodeID, at time: Duration, waits: Bool = false
    ) -> (part: Part, progress: Double)? {
        let key = MotionSchedule.Key(layer: layer, aspect: aspect)
        guard var part = parts[key] else { return nil }
        if part.start == nil, !waits {
            part.start = time
            parts[key] = part
        }
        if part.isOver(at: time) {
            ended.insert(part.track.number)
            return (part, 1)
        }
        return (part, part.progress(at: time))
    }

    /// True when a layer is left out because one of its sources has no frame yet.
    private func isAwaited(_ record: LayerRecord) -> Bool {
        record.absence != .slate
            && state.graph.sources(below: [record.input]).contains { state.presence[$0] == Presence.none }
    }
}

/// The visibility of a layer that appears or disappears.
struct Visibility: Sendable, Hashable {
    /// The factor of the layer's opacity, 0…1.
    var fade = 1.0
    /// The horizontal offset, as a share of the way out of the canvas: 1 is beyond the right edge, -1 beyond the left
    /// one.
    var right = 0.0
    /// The vertical offset, as a share of the way out of the canvas: 1 is below the lower edge, -1 above the upper one.
    var down = 0.0

    static let whole = Visibility()
    static let none = Visibility(fade: 0)

    init(fade: Double = 1, right: Double = 0, down: Double = 0) {
        (self.fade, self.right, self.down) = (fade, right, down)
    }

    /// Creates the visibility at the start of a transition.
    ///
    /// The visibility is the shown one if the layer was visible. Else a layer that disappears is wholly visible, and a
    /// layer that appears has the visibility of ``gone(by:)``.
    init(before transition: Transition, isLeaving: Bool, shown: Visibility?) {
        if let shown, shown.fade > 0 {
            self = shown
        } else {
            self = isLeaving ? .whole : Visibility.whole.gone(by: transition)
        }
    }

    /// The visibility of the layer once a transition has removed it.
    func gone(by transition: Transition) -> Visibility {
        switch transition {
        case .cut: .none
        case .fade: Visibility(fade: 0, right: right, down: down)
        case .slide(.left): Visibility(fade: fade, right: -1, down: down)
        case .slide(.right): Visibility(fade: fade, right: 1, down: down)
        case .slide(.top): Visibility(fade: fade, right: right, down: -1)
        case .slide(.bottom): Visibility(fade: fade, right: right, down: 1)
        }
    }

    func moved(to other: Visibility, by share: Double) -> Visibility {
        Visibility(
            fade: fade.moved(to: other.fade, by: share), right: right.moved(to: other.right, by: share),
            down: down.moved(to: other.down, by: share))
    }
}

extension Graph {
    /// The keyframes of all layers with keyframes, keyed by layer.
    fileprivate var keyframes: [NodeID: Keyframes] {
        var keyframes: [NodeID: Keyframes] = [:]
        for id in order {
            guard case .compositor(let composition)? = self[id] else { continue }
            for layer in composition.layers { keyframes[layer.id] = layer.keyframes }
        }
        return keyframes
    }
}
