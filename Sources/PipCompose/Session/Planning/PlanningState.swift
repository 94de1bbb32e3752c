/// All facts that a plan is made from.
struct PlanningState: Sendable {
    /// The graph to draw.
    var graph: Graph
    /// The main source: the source of the bottom layer; nil without sources.
    ///
    /// The output's timing may follow the main source.
    var main: NodeID?
    /// The presence of sources, keyed by node.
    ///
    /// A source that is not listed is present.
    var presence: [NodeID: Presence] = [:]
    /// The formats of all sources, including slates and badges, keyed by node.
    var formats: [NodeID: SourceFormat]
    /// The placeholder drawn for each source while it delivers no frames, keyed by the source's node.
    var placeholders: [NodeID: Placeholder]
    /// Digital zoom factors (> 1) of cameras whose hardware cannot zoom that far, keyed by node.
    var zooms: [NodeID: Double] = [:]
    /// The frame format that each output takes, keyed by node.
    var requests: [NodeID: SinkRequest]
    /// Renderer capabilities in order of preference.
    ///
    /// A later renderer draws only what the earlier renderers cannot.
    var capabilities: [PlanCapabilities] = []
    /// True to fuse effects into shared passes.
    var fuses = true
    /// The highest quality at which effects are drawn.
    var effects = EffectQuality.full
    /// The output time at which the plan begins.
    var time = Duration.zero

    /// Makes the plan, with each layer's absence policy applied where its source is missing.
    ///
    /// - Throws: ``SessionError`` when the graph cannot be drawn.
    func plan() throws(SessionError) -> RenderPlan {
        do throws(GraphError) { try graph.validate(needsSinks: false) } catch { throw SessionError(error) }
        var resolved = graph.resolvingAbsence(presence, placeholders)
        for placeholder in placeholders.values {
            for node in [placeholder.slate, placeholder.badge] {
                resolved.set(.source(SlateSpecification(label: placeholder.label)), for: node)
            }
        }
        for id in graph.sinks where graph.sink(id)?.isPaused == true || graph.takesCamera(id) { resolved.remove(id) }
        var known = formats.filter { presence[$0.key] != Presence.none }
        for placeholder in placeholders.values {
            known[placeholder.slate] = known[placeholder.slate] ?? placeholder.slateFormat
            known[placeholder.badge] = known[placeholder.badge] ?? placeholder.badgeFormat
        }
        let crops = SourceEffects(zooms: zooms, placeholders: placeholders).insert(into: &resolved, &known)
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

/// The nodes that the session adds for a source: the slate and the badge for the time without frames, the conversion of
/// colours, and the digital zoom.
struct Placeholder: Sendable {
    /// The node of the slate.
    let slate = NodeID()
    /// The node of the badge.
    let badge = NodeID()
    /// The node of the effect that converts wide-gamut and high-dynamic-range colours to BT.709; unused for a source
    /// without such colours.
    let colors = NodeID()
    /// The node of the crop that makes the digital part of the camera's zoom.
    let zoom = NodeID()
    let label: String
    /// The size of the source's upright picture.
    let size: PixelSize

    /// The nodes of the slate and the badge.
    ///
    /// Each node has a feed once a plan draws it.
    var nodes: [NodeID] { [slate, badge] }

    var slateFormat: SourceFormat {
        var format = SourceFormat(layout: FrameLayout(.i420, size), colorimetry: .bt709)
        format.isStill = true
        return format
    }

    var badgeFormat: SourceFormat { Badge.format(size) }
}
