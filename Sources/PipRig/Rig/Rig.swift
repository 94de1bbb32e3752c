package import PipCompose

/// A whole composition as a value: what the command's options and a configuration file say.
///
/// It holds no device, file or graph. A ``LiveRig`` runs one, and draws the difference to another one as a transaction.
package struct Rig: Sendable {
    /// The size of the picture; nil takes the bottom layer's.
    package var canvas: PixelSize?
    /// The light in which layers are blended.
    package var light = Compositor.Light.encoded
    /// When frames are made; nil takes the rate of the first picture.
    package var clock: ClockArgument?
    /// The sources by name, in the order in which they were given.
    package var pictures: [RigPicture] = []
    /// The layers that are shown, bottom first.
    package var layers: [RigLayer] = []
    /// The name of the scene that the layers were taken from; nil for none.
    package var scene: String?
    /// Arrangements of the pictures to be shown by name.
    package var scenes: [RigScene] = []
    /// Texts, clocks and pictures above the layers, lowest first.
    package var overlays: [OverlayArgument] = []
    /// The effects of each picture by its name, and of the whole by ``output``.
    package var chains: [String: [RigEffect]] = [:]
    package var sound: [AudioArgument] = []
    package var outputs: [RigOutput] = []
    /// The pictures that are taken on demand.
    package var stills: [StillArgument] = []
    package var matching: CameraMatching?
    package var drawing = RigDrawing()
    private(set) var lastID = 0

    /// An empty composition.
    package init() {}

    /// The target of the effects of the whole picture; no picture has this name.
    package static let output = "output"

    /// The picture of a name; nil for none.
    package subscript(picture name: String) -> RigPicture? {
        get { pictures.first { $0.name == name } }
        set {
            guard let index = pictures.firstIndex(where: { $0.name == name }), let newValue else { return }
            pictures[index] = newValue
        }
    }

    /// An identifier that no effect or output of the composition has had.
    package mutating func makeID(_ prefix: String) -> String {
        lastID += 1
        return "\(prefix)\(lastID)"
    }

    /// Goes on with identifiers behind those of another composition.
    mutating func countIDs(from other: Rig) { lastID = max(lastID, other.lastID) }

    /// True when the present layers are those of the scene that they were taken from.
    package var isSceneUnchanged: Bool { scenes.first { $0.name == scene }?.layers == layers }

    /// Puts the layers where a scene has them.
    ///
    /// - Throws: ``RigError`` for a scene that is not there.
    package mutating func show(scene name: String) throws(RigError) {
        layers = scenes[try index(ofScene: name)].layers
        scene = name
    }

    /// The place of a scene among all.
    ///
    /// - Throws: ``RigError`` for a scene that is not there: it names the nearest one.
    package func index(ofScene name: String) throws(RigError) -> Int {
        guard let index = scenes.firstIndex(where: { $0.name == name }) else {
            throw RigError(.unknown, NearestName.unknown("scene", name, among: scenes.map(\.name)).description)
        }
        return index
    }

    /// The roles of the sources in a report, in the order of their creation: a camera in two pictures is one.
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

/// A source with a name.
package struct RigPicture: Sendable {
    package var name: String
    package var source: SourceArgument
    /// True when all layers show it mirrored; outputs of its own do not.
    package var isMirrored = false
    /// The policy of its layers for a source without frames.
    package var absence = AbsencePolicy.hold
    /// The path of a picture that is white where this one shows; nil shows all of it.
    package var mask: String?
    /// False for a camera that is switched off.
    package var isEnabled = true

    /// A picture by its name and source.
    package init(_ name: String, _ source: SourceArgument) {
        self.name = name
        self.source = source
    }

    /// The camera and its wish; nil for what is no camera.
    package var camera: (selector: CameraSelector, wish: CameraWish)? {
        if case .camera(let selector, let wish) = source.kind { (selector, wish) } else { nil }
    }
}

/// A picture with its place and look; each picture is shown once.
package struct RigLayer: Sendable, Equatable {
    /// The name of the picture, which is the layer's, too.
    package var picture: String
    package var placement = Placement.full
    package var look = LayerLook()
    package var blend: BlendMode?
    /// Higher is nearer; of equal ones the later is.
    package var z = 0
    package var isVisible = true

    /// A layer that fills the canvas.
    package init(_ picture: String) { self.picture = picture }

    /// An inset.
    ///
    /// - Parameters:
    ///   - picture: The picture's name.
    ///   - layout: What was said of its place and look.
    ///   - usual: Its place where nothing was said.
    package init(_ picture: String, _ layout: InsetLayout, usual: Placement) {
        self.picture = picture
        placement = layout.placement(over: usual)
        (look, blend, z) = (layout.look, layout.blend, layout.z)
    }

    /// True when it fills the canvas as the base of the others.
    package var isMain: Bool {
        placement.position == Placement.full.position && placement.width == nil && placement.height == nil
    }
}

/// An effect of a chain.
package struct RigEffect: Sendable {
    /// Identifies it as long as it is in its chain.
    package var id: String
    package var effect: any Effect
    /// True when it stays under pressure.
    package var isEssential: Bool
    /// True when it is left out of the picture.
    package var isMuted: Bool

    /// An effect by its identifier and value.
    package init(id: String, _ effect: any Effect, isEssential: Bool = false, isMuted: Bool = false) {
        self.id = id
        self.effect = effect
        self.isEssential = isEssential
        self.isMuted = isMuted
    }
}

/// An output with what is sent to it.
package struct RigOutput: Sendable, Equatable {
    /// Identifies it as long as it is there.
    package var id: String
    package var sink: SinkArgument
    /// The picture that it gets; nil for the whole.
    package var of: String?
    package var isPaused = false
    /// True when it was begun by the panel: the configuration does not know of it.
    package var isAdded = false

    /// An output by its identifier, sink and picture.
    package init(id: String, _ sink: SinkArgument, of picture: String?) {
        self.id = id
        self.sink = sink
        of = picture
    }
}

/// How a composition is drawn.
package struct RigDrawing: Sendable, Equatable {
    package var fuses = true
    package var renderer = RendererChoice.automatic
    /// Threads that draw on the CPU; nil chooses.
    package var threads: Int?
    package var sharing = BufferSharing.automatic

    /// The usual way.
    package init() {}
}
