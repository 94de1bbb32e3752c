package import PipCompose

/// A whole composition as a value: the content of the command's options or of a configuration file.
///
/// The value holds no device, file or graph. A ``LiveRig`` runs a composition, and changes to another one in a
/// transaction.
package struct Rig: Sendable {
    /// The size of the picture; nil takes the size of the bottom layer.
    package var canvas: PixelSize?
    /// The light in which layers are blended.
    package var light = Compositor.Light.encoded
    /// The output clock; nil takes the rate of the first picture.
    package var clock: ClockArgument?
    /// The named sources, in the order given.
    package var pictures: [RigPicture] = []
    /// The present layers, bottom first.
    package var layers: [RigLayer] = []
    /// The name of the scene from which the layers come; nil for layers without a scene.
    package var scene: String?
    /// Named arrangements of the pictures.
    package var scenes: [RigScene] = []
    /// Texts, clocks and pictures above the layers, lowest first.
    package var overlays: [OverlayArgument] = []
    /// The effects, keyed by the name of a picture, or by ``output`` for the composed picture.
    package var chains: [String: [RigEffect]] = [:]
    package var sound: [AudioArgument] = []
    package var outputs: [RigOutput] = []
    /// The still pictures that a signal takes.
    package var stills: [StillArgument] = []
    package var matching: CameraMatching?
    package var drawing = RigDrawing()
    private(set) var lastID = 0

    /// An empty composition.
    package init() {}

    /// The key of the composed picture.
    ///
    /// No source has this name.
    package static let output = "output"

    /// The picture with a name; nil for an unknown name.
    package subscript(picture name: String) -> RigPicture? {
        get { pictures.first { $0.name == name } }
        set {
            guard let index = pictures.firstIndex(where: { $0.name == name }), let newValue else { return }
            pictures[index] = newValue
        }
    }

    /// Makes an identifier that no effect or output of the composition has had before.
    package mutating func makeID(_ prefix: String) -> String {
        lastID += 1
        return "\(prefix)\(lastID)"
    }

    /// Makes sure that new identifiers differ from those of another composition.
    mutating func countIDs(from other: Rig) { lastID = max(lastID, other.lastID) }

    /// True when the present layers equal those of the scene from which they come.
    package var isSceneUnchanged: Bool { scenes.first { $0.name == scene }?.layers == layers }

    /// Replaces the layers by those of a scene.
    ///
    /// - Throws: ``RigError`` for an unknown scene.
    package mutating func show(scene name: String) throws(RigError) {
        layers = scenes[try index(ofScene: name)].layers
        scene = name
    }

    /// The index of a scene.
    ///
    /// - Throws: ``RigError`` for an unknown scene, with the nearest name.
    package func index(ofScene name: String) throws(RigError) -> Int {
        guard let index = scenes.firstIndex(where: { $0.name == name }) else {
            throw RigError(.unknown, NearestName.unknown("scene", name, among: scenes.map(\.name)).description)
        }
        return index
    }

    /// The roles of the sources in a report, in creation order.
    ///
    /// A camera in two pictures is one source.
    package var roles: [String] {
        var roles: [String] = []
        var seen: Set<String> = []
        for picture in pictures {
            if picture.camera != nil, !seen.insert(picture.source.identity).inserted {
                roles[roles.count - 1] += "+\(picture.name)"
            } else {
                roles.append(picture.name)
            }
            if picture.mask != nil { roles.append("mask of \(picture.name)") }
        }
        return roles + overlays.map(\.role)
    }
}

/// A named source.
package struct RigPicture: Sendable {
    package var name: String
    package var source: SourceArgument
    /// True when layers show the source mirrored.
    ///
    /// Outputs of the source's own picture are not mirrored.
    package var isMirrored = false
    /// The policy of the layers while the source delivers no frames.
    package var absence = AbsencePolicy.hold
    /// The path of a picture that is white where this one is visible; nil shows the whole picture.
    package var mask: String?
    /// False to switch the camera off.
    package var isEnabled = true

    /// A picture with default settings.
    package init(_ name: String, _ source: SourceArgument) {
        self.name = name
        self.source = source
    }

    /// The camera and its requested settings; nil for a source that is no camera.
    package var camera: (selector: CameraSelector, wish: CameraWish)? {
        if case .camera(let selector, let wish) = source.kind { (selector, wish) } else { nil }
    }
}

/// A picture with its place and look.
///
/// Each picture has at most one layer.
package struct RigLayer: Sendable, Equatable {
    /// The name of the picture, which is also the name of the layer.
    package var picture: String
    package var placement = Placement.full
    package var look = LayerLook()
    package var blend: BlendMode?
    /// The order of the layers: a higher layer covers a lower one.
    ///
    /// Of layers with equal `z`, the later one covers the earlier.
    package var z = 0
    package var isVisible = true

    /// A layer that fills the canvas.
    package init(_ picture: String) { self.picture = picture }

    /// An inset.
    ///
    /// - Parameters:
    ///   - picture: The picture's name.
    ///   - layout: The requested place and look.
    ///   - usual: The default place.
    package init(_ picture: String, _ layout: InsetLayout, usual: Placement) {
        self.picture = picture
        placement = layout.placement(over: usual)
        (look, blend, z) = (layout.look, layout.blend, layout.z)
    }

    /// True when the layer fills the canvas.
    package var isMain: Bool {
        placement.position == Placement.full.position && placement.width == nil && placement.height == nil
    }
}

/// An effect of a chain.
package struct RigEffect: Sendable {
    /// The effect's identifier, as long as the effect is in its chain.
    package var id: String
    package var effect: any Effect
    /// True to keep the effect when the machine is under pressure.
    package var isEssential: Bool
    /// True to skip the effect.
    package var isMuted: Bool

    /// An effect with an identifier.
    package init(id: String, _ effect: any Effect, isEssential: Bool = false, isMuted: Bool = false) {
        self.id = id
        self.effect = effect
        self.isEssential = isEssential
        self.isMuted = isMuted
    }
}

/// A destination with the picture that it gets.
package struct RigOutput: Sendable, Equatable {
    /// The output's identifier, as long as the output exists.
    package var id: String
    package var sink: SinkArgument
    /// The source whose own picture the output gets; nil for the composed picture.
    package var of: String?
    package var isPaused = false
    /// True for an output that a client of the panel began.
    ///
    /// The configuration does not contain it.
    package var isAdded = false

    /// An output that is not paused.
    package init(id: String, _ sink: SinkArgument, of picture: String?) {
        self.id = id
        self.sink = sink
        of = picture
    }
}

/// The settings of the renderer.
package struct RigDrawing: Sendable, Equatable {
    package var fuses = true
    package var renderer = RendererChoice.automatic
    /// The number of drawing threads on the CPU; nil lets the session choose.
    package var threads: Int?
    package var sharing = BufferSharing.automatic

    /// The default settings.
    package init() {}
}
