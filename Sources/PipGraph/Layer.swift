public import PipEffects
public import PipFrames

/// A picture with the place and look that it is to have in a compositor.
///
/// A value: each modifier gives another one, and a layer may be added any number of times. By itself it fills the
/// canvas. All lengths are in canvas pixels, where nothing else is said.
///
/// ```swift
/// Layer(front --> Mirror()).placed(.topRight, width: 0.25, margin: 24).rounded(16).shadowed()
/// ```
public struct Layer: Sendable {
    let producer: GraphNode
    private var placement = Placement.full
    private var look = LayerLook()
    private var blend: BlendMode?
    private var z = 0
    private var absence = AbsencePolicy.hold

    /// A layer that fills the canvas with the frames of a producer.
    public init(_ producer: some FrameProducer) { self.producer = producer.node }

    /// The record of a compositor's layer with this place and look.
    func record(_ id: NodeID) -> LayerRecord {
        var record = LayerRecord(producer.id, id: id)
        (record.placement, record.look, record.blend) = (placement, look, blend)
        (record.z, record.absence) = (z, absence)
        return record
    }

    // MARK: Place

    /// Against a corner, an edge or the middle.
    ///
    /// - Parameters:
    ///   - anchor: Which corner or edge.
    ///   - width: A share of the canvas's width, 0…1; the height follows the picture's shape.
    ///   - margin: Distance from the canvas's edges.
    /// - Returns: The layer in its place.
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
    /// - Parameters:
    ///   - anchor: Which corner or edge.
    ///   - margin: Distance from the canvas's edges.
    /// - Returns: The layer in its place.
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
    /// - Parameters:
    ///   - x: To the right.
    ///   - y: Downwards.
    ///   - width: Nil follows from the height and the picture's shape; the canvas's without a height.
    ///   - height: Nil follows from the width and the picture's shape; the canvas's without a width.
    /// - Returns: The layer in its place.
    public func placed(x: Int, y: Int, width: Int? = nil, height: Int? = nil) -> Layer {
        with { layer in
            layer.placement.position = .at(x: x, y: y)
            layer.placement.width = width.map { .pixels($0) }
            layer.placement.height = height.map { .pixels($0) }
        }
    }

    /// With a placement as a value, in place of all that was said of the place before.
    public func placed(_ placement: Placement) -> Layer { with { $0.placement = placement } }

    /// Filling a place of another shape than the picture's: cut off, letterboxed or distorted.
    public func fitted(_ mode: FitMode) -> Layer { with { $0.placement.fit = mode } }

    /// Showing a part of the picture only, in pixels of the picture as it is stored, before it is turned.
    public func cropped(_ part: PixelRect) -> Layer { with { $0.placement.crop = part } }

    /// Turned or mirrored, after the picture's own orientation.
    public func oriented(_ orientation: Orientation) -> Layer { with { $0.placement.orientation = orientation } }

    /// Nearer than the layers with a lower z; layers have 0 by themselves.
    public func raised(to z: Int) -> Layer { with { $0.z = z } }

    // MARK: Look

    /// With an opacity from 0 (invisible) to 1 (opaque), corners, border and shadow included.
    public func faded(to opacity: Double) -> Layer { with { $0.look.opacity = opacity } }

    /// With round corners of a radius.
    public func rounded(_ radius: Double) -> Layer { with { $0.look.cornerRadius = radius } }

    /// With a border of a width along the inside of its edge.
    public func bordered(_ width: Double, _ color: Color) -> Layer {
        with { $0.look.border = LayerLook.Border(width: width, color: color) }
    }

    /// With a soft black shadow.
    ///
    /// - Parameters:
    ///   - blur: The distance over which it fades.
    ///   - offset: How far it lies below the layer.
    ///   - opacity: 0…1.
    /// - Returns: The layer with its shadow.
    public func shadowed(blur: Double = 12, offset: Double = 4, opacity: Double = 0.5) -> Layer {
        with { $0.look.shadow = LayerLook.Shadow(blur: blur, offset: offset, opacity: opacity) }
    }

    /// Made larger or smaller by a filter.
    public func sampled(_ sampling: LayerSampling) -> Layer { with { $0.look.sampling = sampling } }

    /// Blended with the layers below by a mode; opacity, corners and border lie over that.
    public func blended(_ mode: BlendMode) -> Layer { with { $0.blend = mode } }

    // MARK: Without frames

    /// Showing this while its source is missing, late or dead.
    public func whenMissing(_ policy: AbsencePolicy) -> Layer { with { $0.absence = policy } }

    private func with(_ change: (inout Layer) -> Void) -> Layer {
        var copy = self
        change(&copy)
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
