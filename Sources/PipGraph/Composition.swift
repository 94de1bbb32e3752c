public import PipEffects
public import PipFrames

/// The properties of a compositor in the graph: its canvas and its layers.
package struct Composition: Sendable {
    /// The size of the canvas; nil takes the size of the lowest enabled layer that has frames, or 1280x720 while there
    /// is no such layer.
    package var canvas: PixelSize?
    /// The colour of the canvas where no layer covers it.
    package var background: Color
    /// The encoding of the values that are blended: gamma-encoded or linear.
    package var light: Compositor.Light
    /// The layers in the order in which they were added; ``drawingOrder`` sorts the enabled ones by z.
    package var layers: [LayerRecord]

    /// Creates a composition, by default with a black background, gamma-encoded blending and no layers.
    package init(
        canvas: PixelSize?, background: Color = .black, light: Compositor.Light = .encoded, layers: [LayerRecord] = []
    ) {
        self.canvas = canvas
        self.background = background
        self.light = light
        self.layers = layers
    }

    /// The enabled layers, bottom first.
    package var drawingOrder: [LayerRecord] {
        layers.enumerated().filter(\.element.isEnabled)
            .sorted { ($0.element.z, $0.offset) < ($1.element.z, $1.offset) }.map(\.element)
    }
}

/// One input of a compositor, with the place and look of its layer.
public struct LayerRecord: Sendable, Hashable {
    /// Identifies the layer in its compositor.
    public let id: NodeID
    /// The node whose frames the layer shows.
    public package(set) var input: NodeID
    /// The position, size, crop and orientation of the layer on the canvas.
    public var placement: Placement
    /// The layer's appearance: opacity, corners, border, shadow and resampling.
    public var look: LayerLook
    /// The mode of blending with the layers below; nil draws the layer over them.
    public var blend: BlendMode?
    /// The depth order: layers of higher z are drawn later.
    ///
    /// Layers of equal z are drawn in the order in which they were added.
    public var z: Int
    /// The policy for the time in which the input has no frames.
    public var absence: AbsencePolicy
    /// True when the layer is switched on; a layer that is switched off is not drawn.
    public var isEnabled: Bool
    /// The keyframes that animate the layer; nil for a layer without animation.
    ///
    /// The places, looks and opacities of the keyframes replace the layer's own. After a change of the keyframes, time
    /// 0 is the first frame that is drawn with the new keyframes.
    public var keyframes: Keyframes?
    /// The state of the layer's motion, in the copy of the graph from which a frame is planned.
    ///
    /// Nil in any other graph, and for a layer at rest.
    package var motion: LayerMotion?

    /// Creates a layer that fills the canvas.
    package init(_ input: NodeID, id: NodeID = NodeID()) {
        self.id = id
        self.input = input
        placement = .full
        look = LayerLook()
        z = 0
        absence = .hold
        isEnabled = true
    }
}

/// The picture that a layer shows while its source is missing, late or dead.
///
/// Until its source's first frame, a layer with the policy ``hold`` or ``freeze`` is hidden.
public enum AbsencePolicy: String, Sendable, CaseIterable {
    /// The layer shows its last frame until a new one comes.
    case hold
    /// The layer shows its last frame, with a badge that marks the frame as frozen.
    case freeze
    /// The layer is hidden.
    case hide
    /// The layer shows a slate: a plain panel in place of the picture.
    case slate
    /// The layer is hidden. A missing bottom layer instead shows the picture of the lowest other layer that has frames,
    /// and that other layer is hidden.
    case promote
}
