internal import PipCompose
internal import PipPatterns
internal import PipText

#if Media
internal import PipMedia
#endif

/// The nodes of a composition's graph, keyed by the names and identifiers in the ``Rig``.
///
/// ``changed(from:to:sound:)`` edits the graph. Once a session draws the graph, the call must be made within
/// ``/PipCompose/Session/configure(_:)``.
struct RigNodes {
    /// The nodes of one picture.
    struct Picture {
        var source: any FrameProducer
        var filters: [(id: String, filter: any FilterHandle)] = []
        /// The blend that applies the mask after the filters; nil for a picture without a mask.
        var masked: Blend?
        var mask: PictureSource?
        let layer: LayerHandle

        /// The last node of the picture's chain.
        var end: any FrameProducer { masked ?? filters.last?.filter ?? source }
    }

    let compositor: Compositor
    /// The values that texts show, and recordings hold.
    private let telemetry: Telemetry
    private(set) var pictures: [String: Picture] = [:]
    /// The effects of the composed picture.
    private(set) var filters: [(id: String, filter: any FilterHandle)] = []
    private(set) var outputs: [String: Output] = [:]
    private(set) var overlays: [LayerHandle] = []

    /// Creates nodes for a composition without pictures.
    ///
    /// - Parameters:
    ///   - canvas: The canvas size; nil takes the size of the bottom layer.
    ///   - telemetry: The values that texts show.
    init(canvas: PixelSize?, _ telemetry: Telemetry) {
        (compositor, self.telemetry) = (Compositor(canvas: canvas), telemetry)
    }

    /// The node of the composed picture, after its effects.
    var whole: any FrameProducer { filters.last?.filter ?? compositor }

    /// The source node of a picture, or the node of the composed picture if `picture` is nil or unknown.
    func producer(of picture: String?) -> any FrameProducer {
        picture.flatMap { pictures[$0]?.source } ?? whole
    }

    // MARK: Changes

    /// Edits the graph until it is the graph of another composition.
    ///
    /// Nodes that both compositions share run on without interruption.
    ///
    /// - Parameters:
    ///   - old: The composition of these nodes.
    ///   - new: The new composition, already checked.
    ///   - sound: The sound of the outputs.
    /// - Returns: The nodes of the new composition, with its outputs connected.
    /// - Throws: The error of an effect, a layer or an output that refuses the change.
    func changed(from old: Rig, to new: Rig, sound: RigSound?) throws -> RigNodes {
        var nodes = self
        try nodes.changePictures(from: old, to: new)
        try nodes.changeOverlays(from: old, to: new)
        try nodes.changeWhole(to: new)
        try nodes.changeOutputs(from: old, to: new, sound)
        return nodes
    }

    private mutating func changePictures(from old: Rig, to new: Rig) throws {
        for (name, picture) in pictures where new[picture: name] == nil {
            try picture.layer.remove()
            pictures[name] = nil
        }
        for picture in new.pictures {
            let before = old[picture: picture.name]
            var nodes = pictures[picture.name]
            var isMoved = false
            let source: any FrameProducer
            if let nodes, let before, before.source.isSameNode(as: picture.source) {
                source = nodes.source
            } else {
                source = shared(picture.source, in: new) ?? picture.source.producer
                isMoved = true
            }
            if nodes == nil { nodes = Picture(source: source, layer: compositor.add(Layer(source))) }
            guard var nodes else { continue }
            nodes.source = source
            Self.set(source, as: picture, in: new)
            let chain = try Self.chain(new.chains[picture.name] ?? [], behind: source, among: nodes.filters)
            isMoved = isMoved || chain.map(\.id) != nodes.filters.map(\.id) || before == nil
            nodes.filters = chain
            if isMoved || before?.mask != picture.mask {
                if before?.mask != picture.mask { nodes.mask = picture.mask.map { PictureSource(overlay: $0) } }
                let shown: any FrameProducer = chain.last?.filter ?? source
                nodes.masked = nodes.mask.map { Self.masked(shown, by: $0) }
                try Self.show(nodes.end, in: nodes.layer)
            }
            pictures[picture.name] = nodes
            try place(nodes.layer, of: picture, in: new)
        }
    }

    /// The node of a camera that another picture already shows; nil for a camera that no picture shows yet, and for any
    /// other source.
    ///
    /// Each camera has exactly one node.
    private func shared(_ source: SourceArgument, in rig: Rig) -> (any FrameProducer)? {
        guard case .camera = source.kind else { return nil }
        let other = rig.pictures.first { $0.source.identity == source.identity && pictures[$0.name] != nil }
        return other.flatMap { pictures[$0.name]?.source }
    }

    /// Applies a picture's camera settings to the camera's node.
    ///
    /// If several pictures show the same camera, only the settings of the first picture count.
    private static func set(_ source: any FrameProducer, as picture: RigPicture, in rig: Rig) {
        guard let node = source as? CameraSource, let camera = picture.camera,
            rig.pictures.first(where: { $0.camera?.selector == camera.selector })?.name == picture.name
        else { return }
        if node.wish != camera.wish { node.wish = camera.wish }
        if node.isEnabled != picture.isEnabled { node.isEnabled = picture.isEnabled }
    }

    private func place(_ handle: LayerHandle, of picture: RigPicture, in rig: Rig) throws {
        let index = rig.layers.firstIndex { $0.picture == picture.name }
        try handle.update { record in
            record.absence = picture.absence
            guard let index else { return record.isEnabled = false }
            let layer = rig.layers[index]
            record.placement = layer.placement
            if picture.isMirrored {
                record.placement.orientation = Orientation.mirrored.then(layer.placement.orientation)
            }
            (record.look, record.blend) = (layer.look, layer.blend)
            record.z = Self.z(layer.z, index)
            record.isEnabled = layer.isVisible
        }
    }

    /// The drawing order of a layer: first by `z`, then by index.
    ///
    /// Overlays have the indices from 2048, above the layers with equal `z`. All indices from 4095 on give the same
    /// result.
    private static func z(_ z: Int, _ index: Int) -> Int { z * 4096 + min(index, 4095) }

    private mutating func changeOverlays(from old: Rig, to new: Rig) throws {
        guard old.overlays != new.overlays || overlays.count != new.overlays.count else { return }
        for layer in overlays { try layer.remove() }
        overlays = new.overlays.enumerated().map { index, overlay in
            compositor.add(overlay.layer(telemetry).raised(to: Self.z(overlay.layout.z, 2048 + index)))
        }
    }

    private mutating func changeWhole(to new: Rig) throws {
        if compositor.light != new.light { compositor.light = new.light }
        let wanted = new.chains[Rig.output] ?? []
        let isSame = wanted.map(\.id) == filters.map(\.id)
        let before = filters
        var chain: [(id: String, filter: any FilterHandle)] = []
        for effect in wanted { chain.append(try Self.filter(effect, among: before)) }
        if !isSame {
            // Each filter takes over the consumers of the node before it, so the outputs stay connected to the chain's
            // end.
            for entry in before { entry.filter.takeOut() }
            var end: any FrameProducer = compositor
            for entry in chain {
                try entry.filter.put(behind: end)
                end = entry.filter
            }
        }
        filters = chain
    }

    private mutating func changeOutputs(from old: Rig, to new: Rig, _ sound: RigSound?) throws {
        for (id, output) in outputs {
            guard let wanted = new.outputs.first(where: { $0.id == id }),
                let before = old.outputs.first(where: { $0.id == id }), before.sink == wanted.sink,
                before.of == wanted.of
            else {
                output.remove()
                outputs[id] = nil
                continue
            }
            if wanted.isPaused != before.isPaused {
                if wanted.isPaused { try output.pause() } else { try output.resume() }
            }
        }
        for wanted in new.outputs where outputs[wanted.id] == nil {
            let output = try wanted.sink.connect(to: producer(of: wanted.of), sound, telemetry)
            if wanted.isPaused { try output.pause() }
            outputs[wanted.id] = output
        }
    }

    // MARK: Chains

    /// Builds the chain of `effects` after a source, and reuses the existing filters in `filters`.
    private static func chain(
        _ effects: [RigEffect], behind source: any FrameProducer,
        among filters: [(id: String, filter: any FilterHandle)]
    ) throws -> [(id: String, filter: any FilterHandle)] {
        var chain: [(id: String, filter: any FilterHandle)] = []
        var end = source
        let isSame = effects.map(\.id) == filters.map(\.id)
        for effect in effects {
            let entry = try filter(effect, among: filters)
            if !isSame || chain.isEmpty { entry.filter.take(from: end) }
            end = entry.filter
            chain.append(entry)
        }
        return chain
    }

    private static func filter(
        _ effect: RigEffect, among filters: [(id: String, filter: any FilterHandle)]
    ) throws -> (id: String, filter: any FilterHandle) {
        let known = filters.first { $0.id == effect.id }?.filter
        let filter = known ?? handle(for: effect.effect)
        try filter.set(effect)
        return (effect.id, filter)
    }

    private static func handle(for effect: some Effect) -> any FilterHandle { Filter(effect) }

    private static func masked(_ producer: some FrameProducer, by mask: PictureSource) -> Blend {
        Blend(.mask(), base: producer, overlay: mask)
    }

    private static func show(_ producer: some FrameProducer, in layer: LayerHandle) throws(GraphError) {
        try layer.show(producer)
    }
}

/// A filter whose effect type is erased.
protocol FilterHandle: FrameProducer {
    /// Sets the effect's parameters, and the essential and muted switches.
    func set(_ effect: RigEffect) throws(EffectError)
    /// Connects the filter's input to a node.
    func take(from producer: some FrameProducer)
    /// Inserts the filter between a node and its consumers.
    func put(behind producer: some FrameProducer) throws(GraphError)
    /// Removes the filter from its chain, and connects its input to its consumers.
    func takeOut()
}

extension Filter: FilterHandle {
    func set(_ wanted: RigEffect) throws(EffectError) {
        if let effect = wanted.effect as? E, !self.effect.equals(effect) { try update { $0 = effect } }
        if isEssential != wanted.isEssential { essential(wanted.isEssential) }
        if isMuted != wanted.isMuted { isMuted = wanted.isMuted }
    }

    func take(from producer: some FrameProducer) { producer --> self }
    func put(behind producer: some FrameProducer) throws(GraphError) { try insert(after: producer) }
    func takeOut() { remove() }
}

extension SourceArgument {
    /// True when both sources can share a node, even if the camera's mode and controls must change.
    fileprivate func isSameNode(as other: SourceArgument) -> Bool {
        if case .camera(let selector, _) = kind, case .camera(selector, _) = other.kind { return true }
        return identity == other.identity
    }

    /// Makes a node that delivers the source's frames.
    fileprivate var producer: any FrameProducer {
        switch kind {
        case .camera(let selector, let wish): CameraSource(selector, wish: wish)
        case .pattern(let pattern, let options):
            PatternSource(
                pattern, size: options.size, frameRate: options.frameRate, seed: UInt64(options.seed),
                format: options.format)
        case .picture(let path, let rate, let ending): PictureSource(path, frameRate: rate, ending: ending)
        case .y4m(let path, let loops): Y4MSource(path, loops: loops)
        case .movie(let movie): movie.producer
        case .stream(let stream): stream.producer
        case .raw(let path, let options):
            RawSource(
                path, format: options.format, size: options.size, frameRate: options.frameRate, loops: options.loops)
        }
    }
}
