package import PipCompose
internal import PipSources

/// A whole composition as a value: the content of the command's options or of a configuration file.
///
/// The value holds no device, open file or graph. A ``LiveRig`` runs a composition, and changes it in transactions.
package struct Rig: Sendable {
    /// The size of the composed picture; nil takes the size of the bottom layer.
    package var canvas: PixelSize?
    /// The light in which layers are blended: encoded values or linear light.
    package var light = Compositor.Light.encoded
    /// The output clock; nil takes the frame rate of the bottom layer's source.
    package var clock: ClockArgument?
    /// The named sources, in the order given.
    package var pictures: [RigPicture] = []
    /// The current layers; of layers with equal `z`, a later layer covers an earlier layer.
    package var layers: [RigLayer] = []
    /// The name of the scene that was shown last; nil if the layers were not set by a scene.
    package var scene: String?
    /// The named arrangements that a user can show.
    package var scenes: [RigScene] = []
    /// The texts, clocks, gauges, watermarks and stickers, lowest first.
    ///
    /// An overlay covers the layers whose `z` is not higher than the overlay's.
    package var overlays: [OverlayArgument] = []
    /// The effects, keyed by the name of a picture, or by ``output`` for the composed picture.
    package var chains: [String: [RigEffect]] = [:]
    package var sound: [AudioArgument] = []
    /// The sources of the values that texts show and triggers compare.
    package var telemetry: [TelemetryArgument] = []
    /// True where a source of values is the track of an old drive.
    var hasTrack: Bool { telemetry.contains { $0.track != nil } }
    /// The files of values.
    package var tracks: [TrackArgument] = []
    package var outputs: [RigOutput] = []
    /// The still pictures that the program takes on SIGUSR2.
    package var stills: [StillArgument] = []
    package var triggers: [TriggerArgument] = []
    package var matching: CameraMatching?
    package var drawing = RigDrawing()
    private(set) var lastID = 0

    /// Creates a composition without pictures.
    package init() {}

    /// The key of the composed picture's effects.
    ///
    /// No picture may have this name.
    package static let output = "output"

    /// The picture with a name; nil for an unknown name.
    ///
    /// Setting nil, or a picture of an unknown name, does nothing.
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

    /// Raises the counter of identifiers, so that new identifiers differ from all that `other` has made.
    mutating func countIDs(from other: Rig) { lastID = max(lastID, other.lastID) }

    /// True when the current layers equal those of the scene that was shown last.
    package var isSceneUnchanged: Bool { scenes.first { $0.name == scene }?.layers == layers }

    /// Replaces the layers by the layers of the named scene.
    ///
    /// - Throws: ``RigError`` for an unknown scene.
    package mutating func show(scene name: String) throws(RigError) {
        layers = scenes[try index(ofScene: name)].layers
        scene = name
    }

    /// The index of the named scene in ``scenes``.
    ///
    /// - Throws: ``RigError`` for an unknown scene, with the nearest name.
    package func index(ofScene name: String) throws(RigError) -> Int {
        guard let index = scenes.firstIndex(where: { $0.name == name }) else {
            throw RigError(.unknown, NearestName.unknown("scene", name, among: scenes.map(\.name)).description)
        }
        return index
    }

    /// Finds an output by the path or the address that it writes to.
    ///
    /// - Throws: ``RigError`` when no output has this name.
    package func index(ofOutput name: String) throws(RigError) -> Int {
        guard let index = outputs.firstIndex(where: { $0.sink.path == name || $0.sink.text == name }) else {
            let names = outputs.map { $0.sink.path ?? $0.sink.text }
            let shown = SourceAddress.hiding(in: name)
            throw RigError(.unknown, NearestName.unknown("output", shown, among: names).description)
        }
        return index
    }

    /// The names of the session's sources for reports, in the order in which the session opens them.
    ///
    /// Pictures that share a camera share one entry, such as `main+inset`.
    package var roles: [String] {
        var roles: [String] = []
        // The indices of the cameras' entries, keyed by the identity of the source.
        var entries: [String: Int] = [:]
        for picture in pictures {
            let identity = picture.camera == nil ? nil : picture.source.identity
            if let identity, let entry = entries[identity] {
                roles[entry] += "+\(picture.name)"
            } else {
                if let identity { entries[identity] = roles.count }
                roles.append(picture.name)
            }
            if picture.mask != nil { roles.append("mask of \(picture.name)") }
        }
        return roles + overlays.map(\.role)
    }
}

/// A named source, with the settings that apply to all of its layers.
package struct RigPicture: Sendable {
    package var name: String
    package var source: SourceArgument
    /// True when the layer shows the source mirrored.
    ///
    /// Outputs of the source itself are not mirrored.
    package var isMirrored = false
    /// The policy for the layer while the source delivers no frames.
    package var absence = AbsencePolicy.hold
    /// The path of a mask, which is white where the picture is visible; nil shows the whole picture.
    package var mask: String?
    /// False while the camera is switched off.
    package var isEnabled = true

    /// Creates a picture with default settings.
    package init(_ name: String, _ source: SourceArgument) {
        self.name = name
        self.source = source
    }

    /// The camera's selector and its requested settings; nil when the source is not a camera.
    package var camera: (selector: CameraSelector, wish: CameraWish)? {
        if case .camera(let selector, let wish) = source.kind { (selector, wish) } else { nil }
    }
}

/// The place and look of a picture on the canvas.
///
/// Each picture has at most one layer.
package struct RigLayer: Sendable, Equatable {
    /// The name of the picture, which also identifies the layer.
    package var picture: String
    package var placement = Placement.full
    package var look = LayerLook()
    package var blend: BlendMode?
    /// The drawing order: a layer covers the layers with a lower `z`.
    ///
    /// If two layers have equal `z`, the later layer covers the earlier layer.
    package var z = 0
    package var isVisible = true

    /// Creates a layer that fills the canvas.
    package init(_ picture: String) { self.picture = picture }

    /// Creates a layer with a requested place and look.
    ///
    /// - Parameters:
    ///   - picture: The picture's name.
    ///   - layout: The place and look that the user requests.
    ///   - usual: The default place, for properties that the layout does not set.
    package init(_ picture: String, _ layout: InsetLayout, usual: Placement) {
        self.picture = picture
        placement = layout.placement(over: usual)
        (look, blend, z) = (layout.look, layout.blend, layout.z)
    }

    /// True when the layer has the position and size of one that fills the canvas.
    package var isMain: Bool {
        placement.position == Placement.full.position && placement.width == nil && placement.height == nil
    }
}

/// An effect in the chain of a picture or of the composed picture.
package struct RigEffect: Sendable {
    /// The identifier, which stays the same as long as the effect is in its chain.
    package var id: String
    package var effect: any Effect
    /// True to keep the effect on under heat and load.
    package var isEssential: Bool
    /// True to bypass the effect.
    package var isMuted: Bool

    /// Creates an effect with an identifier from ``Rig/makeID(_:)``.
    package init(id: String, _ effect: any Effect, isEssential: Bool = false, isMuted: Bool = false) {
        self.id = id
        self.effect = effect
        self.isEssential = isEssential
        self.isMuted = isMuted
    }
}

/// An output, with the picture that it receives.
package struct RigOutput: Sendable, Equatable {
    /// The identifier, which stays the same as long as the output exists.
    package var id: String
    package var sink: SinkArgument
    /// The name of the picture whose source the output receives; nil for the composed picture.
    package var of: String?
    package var isPaused = false
    /// True for an output that a client of the panel has added, and that no configuration contains.
    package var isAdded = false

    /// Creates an output that is not paused.
    ///
    /// - Parameters:
    ///   - id: An identifier from ``Rig/makeID(_:)``.
    ///   - sink: The destination.
    ///   - picture: The name of the picture whose source the output receives; nil for the composed picture.
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
    /// The number of threads that draw on the CPU; nil lets the session choose.
    package var threads: Int?
    package var sharing = BufferSharing.automatic

    /// Creates the default settings.
    package init() {}
}
