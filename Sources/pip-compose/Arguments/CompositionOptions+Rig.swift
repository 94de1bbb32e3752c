import Logging
import PipCompose
import PipRig

extension CompositionOptions {
    /// The composition of these options, and a note for the user if test patterns replace cameras.
    ///
    /// Looks for cameras if the options name no source.
    func rig() throws -> (rig: Rig, note: String?) {
        guard let main else {
            let sources = DefaultSources(CameraDirectory())
            return (try rig([sources.main, sources.inset]), sources.note)
        }
        return (try rig([main] + inset), nil)
    }

    /// The composition of these options with given sources, the main one first.
    func rig(_ sources: [SourceArgument]) throws(UsageError) -> Rig {
        var rig = Rig()
        (rig.canvas, rig.clock, rig.light) = (size, fps, light)
        for (index, source) in sources.enumerated() {
            let target: PictureTarget = index == 0 ? .main : .inset(index - 1)
            var source = source
            for argument in camera where argument.target == target { source = try argument.applied(to: source) }
            var picture = RigPicture("\(target)", source)
            for absence in whenMissing where absence.target == nil || absence.target == target {
                picture.absence = absence.policy
            }
            picture.mask = mask.last { $0.target == target }?.path
            rig.pictures.append(picture)
            rig.layers.append(layer(of: target, at: index, count: sources.count))
        }
        for argument in effect {
            for link in argument.chain {
                let effect = RigEffect(id: rig.makeID("e"), link.effect, isEssential: link.isEssential)
                rig.chains["\(argument.target)", default: []].append(effect)
            }
        }
        rig.overlays = overlays
        rig.sound = audio
        for sink in output {
            let picture = sink.picture.flatMap { $0 == .output ? nil : "\($0)" }
            rig.outputs.append(RigOutput(id: rig.makeID("o"), sink, of: picture))
        }
        rig.stills = still
        rig.triggers = on
        (rig.telemetry, rig.tracks) = (telemetry, track)
        rig.matching = matchCameras
        rig.drawing.fuses = !noFuse
        rig.drawing.renderer = renderer.choice
        rig.drawing.threads = threads
        rig.drawing.sharing = shareBuffers.sharing
        return rig
    }

    /// The layer of a picture, as `--layout` or the default places it.
    private func layer(of target: PictureTarget, at index: Int, count: Int) -> RigLayer {
        var layer = RigLayer("\(target)")
        if case .whole(let layout)? = layout.first {
            let place = layout.placements(count: count)[index]
            layer.isVisible = place != nil
            if let place { layer.placement = place }
            return layer
        }
        guard case .inset(let number) = target else { return layer }
        var given = InsetLayout()
        if number < layout.count, case .inset(let look) = layout[number] { given = look }
        return RigLayer("\(target)", given, usual: Layout.inset(at: number))
    }

    /// The overlays, from bottom to top.
    var overlays: [OverlayArgument] { watermark + sticker + gauge + text + clock }

    /// Warns about effects that other libraries define differently, and about chains that leave the picture unchanged.
    func warnOfEffects(on console: Console) {
        console.warn(effect.flatMap(\.remarks))
        for note in effect.compactMap(\.note) { console.write(note, .warning, event: "effect-changes-nothing") }
    }

    /// The error for a command line without an output, which lists the kinds of outputs.
    var missingOutput: UsageError {
        let sources =
            main == nil
            ? ""
            : ([main].compactMap(\.self).map { "--main \($0.text) " } + inset.map { "--inset \($0.text) " }).joined()
        return UsageError(
            """
            nothing says where the frames go: add --output SINK

              frames/%05d.png, frames/%05d.jpg   one picture a frame
              out.y4m                            video, uncompressed, for any player
              -                                  the same on standard output, for a pipe
              out.nv12, out.i420, out.rgba       bare pixels
              /dev/video10, virtual-camera:NAME  a camera for browsers and video calls
              null:                              nothing: for measuring

            For example: pip-compose \(sources)--output out.y4m --duration 3s
            """)
    }
}
