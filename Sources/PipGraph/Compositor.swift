public import PipEffects
public import PipFrames

/// A node that draws layers into one picture.
///
/// ```swift
/// let picture = Compositor(canvas: .hd720) {
///     Layer(back)
///     Layer(front --> Mirror()).placed(.topRight, width: 0.25, margin: 24)
/// }
/// ```
public struct Compositor: FrameProducer {
    public let node: GraphNode

    /// A compositor with its layers, bottom first.
    ///
    /// `canvas`: The size of its picture; nil takes the bottom layer's.
    /// `background`: What shows where no layer is.
    public init(
        canvas: PixelSize? = nil, background: Color = .black, @LayerBuilder layers: () -> [Layer] = { [] }
    ) {
        node = GraphNode(.compositor(Composition(canvas: canvas, background: background)))
        for layer in layers() { add(layer) }
    }

    /// Adds a layer on top of those with the same z.
    public func add(_ layer: Layer) {
        node.wiring.join(layer.producer.wiring)
        edit { $0.layers.append(layer.record) }
    }

    /// Takes a layer away.
    public func remove(_ layer: Layer) {
        edit { $0.layers.removeAll { $0.id == layer.id } }
    }

    /// Changes a layer's place or look, from the next frame on.
    public func update(_ layer: Layer, _ change: (inout LayerRecord) -> Void) {
        edit { composition in
            guard let index = composition.layers.firstIndex(where: { $0.id == layer.id }) else { return }
            change(&composition.layers[index])
        }
    }

    /// Exchanges what two layers show; their places and looks stay.
    ///
    /// With a main picture and an inset: the inset becomes the main picture.
    public func swap(_ first: Layer, _ second: Layer) {
        edit { composition in
            guard let one = composition.layers.firstIndex(where: { $0.id == first.id }),
                let other = composition.layers.firstIndex(where: { $0.id == second.id })
            else { return }
            let input = composition.layers[one].input
            composition.layers[one].input = composition.layers[other].input
            composition.layers[other].input = input
        }
    }

    /// Puts all layers in their places of a named layout.
    ///
    /// A layer without a place is switched off.
    public func arrange(_ layout: Layout) {
        edit { composition in
            let places = layout.placements(count: composition.layers.count)
            for (index, place) in places.enumerated() {
                composition.layers[index].isEnabled = place != nil
                guard let place else { continue }
                var placement = place
                placement.orientation = composition.layers[index].placement.orientation
                placement.crop = composition.layers[index].placement.crop
                placement.fit = composition.layers[index].placement.fit
                composition.layers[index].placement = placement
            }
        }
    }

    private func edit(_ change: (inout Composition) -> Void) {
        node.wiring.edit { (graph: inout Graph) throws(Never) in
            guard case .compositor(var composition)? = graph[node.id] else { return }
            change(&composition)
            graph.set(.compositor(composition), for: node.id)
        }
    }
}

/// One input of a compositor, with its place and look.
///
/// By itself it fills the canvas.
public struct Layer: Sendable {
    let producer: GraphNode
    package private(set) var record: LayerRecord

    /// Identifies the layer in its compositor.
    public var id: NodeID { record.id }

    public init(_ producer: some FrameProducer) {
        self.producer = producer.node
        record = LayerRecord(producer.node.id)
    }

    /// Against a corner, an edge or the middle.
    ///
    /// `width`: Of the canvas's width, 0…1; the height follows the picture's shape.
    /// `margin`: Distance from the canvas's edges, in pixels.
    public func placed(_ anchor: Anchor, width: Double, margin: Int = 0) -> Layer {
        with { layer in
            layer.placement.position = .anchor(anchor)
            layer.placement.width = .fraction(width)
            layer.placement.height = nil
            layer.placement.margin = margin
        }
    }

    /// Against a corner, an edge or the middle, at the picture's own size: a text, a logo.
    ///
    /// `margin`: Distance from the canvas's edges, in pixels.
    public func placed(_ anchor: Anchor, margin: Int = 0) -> Layer {
        with { layer in
            layer.placement.position = .anchor(anchor)
            layer.placement.width = .own
            layer.placement.height = .own
            layer.placement.margin = margin
        }
    }

    /// With its upper left corner at a pixel of the canvas.
    ///
    /// With one of `width` and `height`, the other follows the picture's shape.
    public func placed(x: Int, y: Int, width: Int? = nil, height: Int? = nil) -> Layer {
        with { layer in
            layer.placement.position = .at(x: x, y: y)
            layer.placement.width = width.map { .pixels($0) }
            layer.placement.height = height.map { .pixels($0) }
        }
    }

    public func placed(_ placement: Placement) -> Layer { with { $0.placement = placement } }
    public func fitted(_ mode: FitMode) -> Layer { with { $0.placement.fit = mode } }
    public func cropped(_ part: PixelRect) -> Layer { with { $0.placement.crop = part } }
    public func oriented(_ orientation: Orientation) -> Layer { with { $0.placement.orientation = orientation } }
    public func opacity(_ opacity: Double) -> Layer { with { $0.look.opacity = opacity } }
    public func rounded(_ radius: Double) -> Layer { with { $0.look.cornerRadius = radius } }
    public func bordered(_ width: Double, _ color: Color) -> Layer {
        with { $0.look.border = LayerLook.Border(width: width, color: color) }
    }
    public func shadowed(blur: Double = 12, offset: Double = 4, opacity: Double = 0.5) -> Layer {
        with { $0.look.shadow = LayerLook.Shadow(blur: blur, offset: offset, opacity: opacity) }
    }
    /// How its picture is made larger or smaller.
    public func sampled(_ sampling: LayerSampling) -> Layer { with { $0.look.sampling = sampling } }
    /// How its colours mix with those below; its opacity, corners and border lie over that.
    public func blend(_ mode: BlendMode) -> Layer { with { $0.blend = mode } }
    public func above(_ z: Int) -> Layer { with { $0.z = z } }
    /// What it shows while its input has no frames.
    public func whenMissing(_ policy: AbsencePolicy) -> Layer { with { $0.absence = policy } }

    private func with(_ change: (inout LayerRecord) -> Void) -> Layer {
        var copy = self
        change(&copy.record)
        return copy
    }
}

/// Collects the layers of a compositor.
@resultBuilder
public enum LayerBuilder {
    public static func buildExpression(_ layer: Layer) -> [Layer] { [layer] }
    public static func buildBlock(_ parts: [Layer]...) -> [Layer] { parts.flatMap(\.self) }
    public static func buildOptional(_ part: [Layer]?) -> [Layer] { part ?? [] }
    public static func buildEither(first: [Layer]) -> [Layer] { first }
    public static func buildEither(second: [Layer]) -> [Layer] { second }
    public static func buildArray(_ parts: [[Layer]]) -> [Layer] { parts.flatMap(\.self) }
}
