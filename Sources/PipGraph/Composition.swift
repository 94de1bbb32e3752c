public import PipEffects
public import PipFrames

/// A canvas with layers.
package struct Composition: Sendable {
    /// The size of the picture; nil takes the bottom layer's.
    package var canvas: PixelSize?
    /// The colour of the canvas where no layer covers it.
    package var background: Color
    /// The light in which layers are blended.
    package var light: Compositor.Light
    /// The layers in the order given; `drawingOrder` sorts them by z.
    package var layers: [LayerRecord]

    /// A composition from its parts.
    ///
    /// A canvas of nil takes the bottom layer's size.
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

/// One input of a compositor with its place and look.
public struct LayerRecord: Sendable, Hashable {
    /// Identifies the layer in its compositor.
    public let id: NodeID
    /// The node that it shows.
    public package(set) var input: NodeID
    /// Its place on the canvas.
    public var placement: Placement
    /// Its appearance.
    public var look: LayerLook
    /// The blend with the layers below; nil draws over them.
    public var blend: BlendMode?
    /// Higher is nearer; layers of equal z are drawn in the order given.
    public var z: Int
    /// The policy for an input without frames.
    public var absence: AbsencePolicy
    /// True when the layer is drawn.
    public var isEnabled: Bool
    /// States between which the layer moves; nil for a layer that stays.
    ///
    /// Their places and looks replace the layer's own. Keyframes that are changed begin anew, with the first frame that
    /// is drawn with them.
    public var keyframes: Keyframes?
    /// The place between two others that one frame shows; nil except within a frame's plan.
    package var motion: LayerMotion?

    /// A layer that fills the canvas.
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

/// The picture of a layer while its input is missing, late or dead.
public enum AbsencePolicy: String, Sendable, CaseIterable {
    /// The last frame, for as long as none comes.
    case hold
    /// The last frame, with a badge that marks it as frozen.
    case freeze
    /// Nothing.
    case hide
    /// A plain panel in its place.
    case slate
    /// The layer is hidden. In place of the bottom layer, the nearest other layer shows.
    case promote
}
