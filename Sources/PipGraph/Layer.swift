public import PipEffects
public import PipFrames

/// A picture with its place and look in a compositor.
///
/// A value: each modifier returns a changed copy, and the same layer may be added any number of times. Without
/// modifiers, a layer fills the canvas. Lengths are in canvas pixels, except where stated otherwise.
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

    /// Creates a layer that fills the canvas with the frames of a producer.
    public init(_ producer: some FrameProducer) { self.producer = producer.node }

    /// Makes the record of this layer for a compositor's graph node.
    func record(_ id: NodeID) -> LayerRecord {
        var record = LayerRecord(producer.id, id: id)
        (record.placement, record.look, record.blend) = (placement, look, blend)
        (record.z, record.absence) = (z, absence)
        return record
    }

    // MARK: Place

    /// Places the layer at a corner, an edge or the centre of the canvas.
    ///
    /// - Parameters:
    ///   - anchor: The corner, the edge or the centre.
    ///   - width: The layer's width, as a share of the canvas's width: more than 0, at most 16. The height follows the
    ///     picture's aspect ratio.
    ///   - margin: The distance from the canvas's edges.
    /// - Returns: The placed layer.
    public func placed(_ anchor: Anchor, width: Double, margin: Int = 0) -> Layer {
        with { layer in
            layer.placement.position = .anchor(anchor)
            layer.placement.width = .fraction(width)
            layer.placement.height = nil
            layer.placement.margin = margin
        }
    }

    /// Places a layer such as a text or a logo at a corner, an edge or the centre of the canvas, in the picture's own
    /// size.
    ///
    /// - Parameters:
    ///   - anchor: The corner, the edge or the centre.
    ///   - margin: The distance from the canvas's edges.
    /// - Returns: The placed layer.
    public func placed(_ anchor: Anchor, margin: Int = 0) -> Layer {
        with { layer in
            layer.placement.position = .anchor(anchor)
            layer.placement.width = .own
            layer.placement.height = .own
            layer.placement.margin = margin
        }
    }

    /// Places the layer with its upper left corner at a pixel of the canvas.
    ///
    /// - Parameters:
    ///   - x: The pixel's column.
    ///   - y: The pixel's row.
    ///   - width: The width. Nil follows the height and the picture's aspect ratio; if both are nil, the layer has the
    ///     canvas's size.
    ///   - height: The height. Nil follows the width and the picture's aspect ratio; if both are nil, the layer has the
    ///     canvas's size.
    /// - Returns: The placed layer.
    public func placed(x: Int, y: Int, width: Int? = nil, height: Int? = nil) -> Layer {
        with { layer in
            layer.placement.position = .at(x: x, y: y)
            layer.placement.width = width.map { .pixels($0) }
            layer.placement.height = height.map { .pixels($0) }
        }
    }

    /// Sets the complete placement, which replaces earlier ones.
    public func placed(_ placement: Placement) -> Layer { with { $0.placement = placement } }

    /// Sets how a picture of another aspect ratio fits into its place: cropped, letterboxed or stretched.
    public func fitted(_ mode: FitMode) -> Layer { with { $0.placement.fit = mode } }

    /// Crops the picture.
    ///
    /// Units: pixels of the stored picture, before its rotation.
    public func cropped(_ part: PixelRect) -> Layer { with { $0.placement.crop = part } }

    /// Rotates or mirrors the picture, in addition to the picture's own orientation.
    public func oriented(_ orientation: Orientation) -> Layer { with { $0.placement.orientation = orientation } }

    /// Sets the depth order: the layer is drawn above all layers with a lower z.
    ///
    /// The default z is 0.
    public func raised(to z: Int) -> Layer { with { $0.z = z } }

    // MARK: Look

    /// Sets the opacity from 0 (invisible) to 1 (opaque), which applies to the border and the shadow, too.
    public func faded(to opacity: Double) -> Layer { with { $0.look.opacity = opacity } }

    /// Rounds the corners with a radius in canvas pixels.
    public func rounded(_ radius: Double) -> Layer { with { $0.look.cornerRadius = radius } }

    /// Adds a border along the inside of the layer's edge, with a width in canvas pixels.
    public func bordered(_ width: Double, _ color: Color) -> Layer {
        with { $0.look.border = LayerLook.Border(width: width, color: color) }
    }

    /// Adds a soft black shadow.
    ///
    /// - Parameters:
    ///   - blur: The distance over which the shadow fades.
    ///   - offset: The distance by which the shadow is shifted down.
    ///   - opacity: The opacity of the shadow, 0…1.
    /// - Returns: The layer with its shadow.
    public func shadowed(blur: Double = 12, offset: Double = 4, opacity: Double = 0.5) -> Layer {
        with { $0.look.shadow = LayerLook.Shadow(blur: blur, offset: offset, opacity: opacity) }
    }

    /// Sets the resampling filter that scales the picture to its place.
    public func sampled(_ sampling: LayerSampling) -> Layer { with { $0.look.sampling = sampling } }

    /// Blends the layer with the layers below; opacity, corners and border apply to the result.
    public func blended(_ mode: BlendMode) -> Layer { with { $0.blend = mode } }

    // MARK: Without frames

    /// Sets the policy for the time in which the source is missing, late or dead.
    public func whenMissing(_ policy: AbsencePolicy) -> Layer { with { $0.absence = policy } }

    private func with(_ change: (inout Layer) -> Void) -> Layer {
        var copy = self
        change(&copy)
        return copy
    }
}

/// Collects the layers of a compositor's trailing closure.
@resultBuilder
public enum LayerBuilder {
    public static func buildExpression(_ layer: Layer) -> [Layer] { [layer] }
    public static func buildBlock(_ parts: [Layer]...) -> [Layer] { parts.flatMap(\.self) }
    public static func buildOptional(_ part: [Layer]?) -> [Layer] { part ?? [] }
    public static func buildEither(first: [Layer]) -> [Layer] { first }
    public static func buildEither(second: [Layer]) -> [Layer] { second }
    public static func buildArray(_ parts: [[Layer]]) -> [Layer] { parts.flatMap(\.self) }
}
