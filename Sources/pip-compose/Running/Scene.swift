import PipCompose
import PipPatterns

#if Media
import PipMedia
#endif

/// The graph that the options ask for.
struct Scene {
    /// Any node of the graph; all are connected.
    let picture: any FrameProducer
    /// The role of each source, in the order of their creation: `main`, `inset`, `inset2`.
    let roles: [String]
    /// The sound of the outputs; nil for none.
    let sound: SceneSound?
    /// The handles of all outputs, in the order in which they were given.
    let outputs: [Output]
    /// The effects that files bring along.
    let fileEffects: [Filter<FileEffect>]
    private let stills: [(argument: StillArgument, producer: any FrameProducer)]
    private let compositor: Compositor
    private let pictureCount: Int
    private let layout: Layout?

    /// - Parameters:
    ///   - main: The main picture.
    ///   - insets: The pictures in it.
    ///   - options: Effects, layouts, size, policies, sound and outputs; checked before.
    /// - Throws: The reason why a microphone cannot be had.
    init(main: SourceArgument, insets: [SourceArgument], options: CompositionOptions) throws {
        var made: [String: any FrameProducer] = [:]
        var roles: [String] = []
        var layers: [Layer] = []
        var sources: [any FrameProducer] = []
        var fileEffects: [Filter<FileEffect>] = []
        for (index, source) in ([main] + insets).enumerated() {
            let target: PictureTarget = index == 0 ? .main : .inset(index - 1)
            // A camera streams once, however many pictures it is in.
            let producer = made[source.cameraKey ?? ""] ?? source.producer
            if let key = source.cameraKey, made[key] != nil {
                roles[roles.count - 1] += "+\(target)"
            } else {
                roles.append("\(target)")
            }
            if let key = source.cameraKey { made[key] = producer }
            sources.append(producer)
            var drawn = Self.apply(options.effect, to: producer, target, &fileEffects)
            for mask in options.mask where mask.target == target {
                drawn = Self.masked(drawn, by: StillSource(overlay: mask.path))
                roles.append("mask of \(target)")
            }
            layers.append(options.styled(Layer(drawn), target))
        }
        pictureCount = layers.count
        let overlays = options.overlays.map(\.layer)
        roles += options.overlays.map(\.role)
        compositor = Compositor(canvas: options.size) { for layer in layers + overlays { layer } }
        self.roles = roles
        layout = options.wholeLayout
        let whole = Self.apply(options.effect, to: compositor, .output, &fileEffects)
        self.fileEffects = fileEffects
        picture = whole
        let sound = try SceneSound(options, sources)
        self.sound = sound
        func producer(of target: PictureTarget?) -> any FrameProducer {
            switch target {
            case .output, nil: whole
            case .main: sources.first ?? whole
            case .inset(let index): index + 1 < sources.count ? sources[index + 1] : whole
            }
        }
        outputs = try options.output.map { try $0.connect(to: producer(of: $0.picture), sound) }
        stills = options.still.map { ($0, producer(of: $0.picture)) }
    }

    /// Puts all pictures in the places of a whole layout, once the size of the canvas is known.
    func arrange(on canvas: PixelSize) throws {
        guard let layout else { return }
        for (layer, place) in zip(compositor.layers, layout.placements(count: pictureCount)) {
            try layer.update { record in
                record.isEnabled = place != nil
                if let place { record.placement = place }
            }
        }
    }

    /// Takes the pictures that the options ask for.
    ///
    /// - Parameters:
    ///   - session: The session that draws the scene.
    ///   - tell: Is told each file's path, or why there is none.
    func takeStills(by session: Session, tell: (Result<String, SessionError>) -> Void) async {
        for (argument, producer) in stills {
            do throws(SessionError) {
                let still =
                    if argument.isLargest, let camera = producer as? CameraSource {
                        try await session.largestStill(of: camera, as: argument.format)
                    } else {
                        try await session.still(of: producer, as: argument.format)
                    }
                tell(.success(try still.write(to: argument.path)))
            } catch {
                tell(.failure(error))
            }
        }
    }

    /// True when ``arrange(on:)`` changes anything.
    var needsArranging: Bool { layout != nil }

    private static func apply(
        _ arguments: [EffectArgument], to producer: any FrameProducer, _ target: PictureTarget,
        _ fileEffects: inout [Filter<FileEffect>]
    ) -> any FrameProducer {
        var producer = producer
        for link in arguments.filter({ $0.target == target }).flatMap(\.chain) {
            producer = attach(link.effect, link.isEssential, to: producer)
            if let filter = producer as? Filter<FileEffect> { fileEffects.append(filter) }
        }
        return producer
    }

    private static func attach(
        _ effect: some Effect, _ isEssential: Bool, to producer: some FrameProducer
    ) -> any FrameProducer {
        (producer --> effect).essential(isEssential)
    }

    private static func masked(_ producer: some FrameProducer, by mask: StillSource) -> any FrameProducer {
        Blend(.mask(), base: producer, overlay: mask)
    }

}

extension CompositionOptions {
    /// The layout that places all pictures; nil when each inset has its own.
    var wholeLayout: Layout? {
        if case .whole(let layout)? = layout.first { layout } else { nil }
    }

    /// A layer with the place, look and policy that the options ask for.
    fileprivate func styled(_ layer: Layer, _ target: PictureTarget) -> Layer {
        var layer = layer
        if case .inset(let index) = target {
            var inset = InsetLayout()
            if index < layout.count, case .inset(let given) = layout[index] { inset = given }
            layer = layer.placed(inset.placement(at: index)).looking(inset)
        }
        for absence in whenMissing where absence.target == nil || absence.target == target {
            layer = layer.whenMissing(absence.policy)
        }
        return layer
    }
}

extension SourceArgument {
    /// The node that it stands for.
    fileprivate var producer: any FrameProducer {
        switch kind {
        case .camera(let selector, let wish): CameraSource(selector, wish: wish)
        case .pattern(let pattern, let options):
            PatternSource(
                pattern, size: options.size, frameRate: options.frameRate, seed: UInt64(options.seed),
                format: options.format)
        case .still(let path): StillSource(path)
        case .y4m(let path, let loops): Y4MSource(path, loops: loops)
        case .movie(let movie): movie.producer
        case .stream(let stream): stream.producer
        case .raw(let path, let options):
            RawSource(
                path, format: options.format, size: options.size, frameRate: options.frameRate, loops: options.loops)
        }
    }

    /// Equal for two arguments that are one camera; nil for what is no camera.
    fileprivate var cameraKey: String? {
        if case .camera = kind { text } else { nil }
    }
}

extension SinkArgument {
    /// Connects it; a camera's own file takes every frame, unless something is asked that has to be drawn.
    ///
    /// - Throws: ``UsageError`` when every frame is asked of something that is no camera.
    fileprivate func connect(to producer: any FrameProducer, _ sound: SceneSound?) throws(UsageError) -> Output {
        #if Media
        if case .movie(let movie) = kind, movie.recordsCamera {
            if let camera = producer as? CameraSource { return camera --> movie.cameraFile(sound) }
            guard movie.frames != .every else {
                throw UsageError(
                    "\(text): frames=every is for a camera by itself: write main:FILE or inset:FILE, where that is a "
                        + "camera")
            }
        }
        #endif
        return Self.connect(producer, to: sink(sound))
    }

    private static func connect(_ producer: some FrameProducer, to sink: some Sink) -> Output { producer --> sink }

    fileprivate func sink(_ sound: SceneSound?) -> any Sink {
        var sink = destination(sound)
        if let size { sink = sink.scaled(to: size) }
        if let frameRate { sink = sink.limited(to: frameRate) }
        return sink
    }

    private func destination(_ sound: SceneSound?) -> any Sink {
        switch kind {
        case .movie(let movie): movie.sink(sound)
        case .wav(let wav): wav.sink(sound)
        case .stream(let stream): stream.sink(sound)
        case .whip(let whip): whip.sink(sound)
        case .elements(let elements): elements.sink
        case .y4m(let path, let onFull): Y4MFile(path, onFull: onFull)
        case .raw(let path, let format, let onFull): RawFile(path, format: format, onFull: onFull)
        case .png(let pattern, let onFull): PNGFiles(pattern, onFull: onFull)
        case .jpeg(let pattern, let quality, let onFull): JPEGFiles(pattern, quality: quality, onFull: onFull)
        case .virtualCamera(.path(let path), let format): VirtualCamera(path, format: format)
        case .virtualCamera(.label(let label), let format): VirtualCamera(labelled: label, format: format)
        case .virtualCamera(.free, let format): VirtualCamera(format: format)
        case .null(let format): NullSink(format)
        }
    }
}
