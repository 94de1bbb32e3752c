/// All facts that a plan is made from, as a value: the step from what the user wired to what is drawn.
struct PlanningState {
    var graph: Graph
    /// The source that the output keeps time with; pressure spares it.
    var main: NodeID?
    /// What there is to show of each source; one that is not listed is present.
    var presence: [NodeID: Presence] = [:]
    /// The formats of all sources, slates and badges included.
    var formats: [NodeID: SourceFormat]
    /// What there is to show of each source when it has no frames.
    var stands: [NodeID: Stand]
    /// What cameras were asked to zoom and cannot themselves, above 1.
    var zooms: [NodeID: Double] = [:]
    var requests: [NodeID: SinkRequest]
    /// Of what may draw, in the order in which it is tried: the next ones draw what those before cannot.
    var capabilities: [PlanCapabilities]
    var fuses: Bool
    var effects: EffectQuality
    /// Of the output.
    var time: Duration

    /// The plan, with every layer's policy applied to sources that are missing.
    ///
    /// - Throws: ``SessionError`` when the graph cannot be drawn.
    func plan() throws(SessionError) -> RenderPlan {
        do throws(GraphError) { try graph.validate(needsSinks: false) } catch { throw SessionError(error) }
        var resolved = graph.resolvingAbsence(presence, stands)
        for stand in stands.values {
            for node in [stand.slate, stand.badge] {
                resolved.set(.source(SlateSpecification(label: stand.label)), for: node)
            }
        }
        for id in graph.sinks where graph.sink(id)?.isPaused == true || graph.takesCamera(id) { resolved.remove(id) }
        var known = formats.filter { presence[$0.key] != Presence.none }
        for stand in stands.values {
            known[stand.slate] = known[stand.slate] ?? stand.slateFormat
            known[stand.badge] = known[stand.badge] ?? stand.badgeFormat
        }
        let crops = SourceStages(zooms: zooms, stands: stands).insert(into: &resolved, &known)
        for (index, capabilities) in capabilities.enumerated() {
            var input = PlanInput(
                graph: resolved, sources: known, sinks: requests, capabilities: capabilities, fuses: fuses,
                effectQuality: effects, time: time)
            input.zooms = crops
            do throws(GraphError) {
                return try Planner.plan(input)
            } catch .undrawable where index + 1 < self.capabilities.count {
                continue
            } catch {
                throw SessionError(error)
            }
        }
        return RenderPlan()
    }
}

/// What there is to show of a source without frames: a slate in its place, or a badge on its last frame.
struct Stand {
    var slate: NodeID
    var badge: NodeID
    /// The node of what brings its colours to those of the canvas, where that is needed.
    var colors: NodeID
    /// The node of the crop that makes what is left of a zoom.
    var zoom: NodeID
    /// The name of the source.
    var label: String
    var slateFormat: SourceFormat
    var badgeFormat: SourceFormat
}
