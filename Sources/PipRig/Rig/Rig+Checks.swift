internal import PipCompose
internal import PipInputs

extension Rig {
    /// Checks that references have targets, names and destinations are unique, and options fit their pictures.
    ///
    /// - Throws: ``RigError`` with the first mistake.
    package func check() throws(RigError) {
        try checkPictures()
        for scene in scenes { try check(scene.layers, of: "the scene \(scene.name)") }
        try check(layers, of: "the layers")
        for (index, scene) in scenes.enumerated() where scenes[..<index].contains(where: { $0.name == scene.name }) {
            throw RigError(.conflict, "there are two scenes \(scene.name): rename one of them")
        }
        for target in chains.keys.sorted() where target != Self.output { try checkPicture(target, for: "effects") }
        try checkOutputs()
        try checkStills()
        try checkTriggers()
        try checkTelemetry()
        try checkFiles()
        try checkSound()
    }

    /// Checks that a picture exists.
    ///
    /// - Parameters:
    ///   - name: The picture's name.
    ///   - user: The element that refers to the picture, for messages.
    /// - Throws: ``RigError`` for an unknown picture.
    package func checkPicture(_ name: String, for user: String) throws(RigError) {
        guard self[picture: name] == nil else { return }
        throw RigError(
            .unknown,
            "\(user): there is no picture \(name)\(NearestName.hint(for: name, among: pictures.map(\.name)))")
    }

    private func checkPictures() throws(RigError) {
        for (index, picture) in pictures.enumerated() {
            guard !picture.name.isEmpty, picture.name.utf8.count <= 64, picture.name != Self.output,
                picture.name.allSatisfy({ $0.isLetter || $0.isNumber || "-_.+ ".contains($0) })
            else {
                throw RigError(
                    .invalid,
                    "\"\(picture.name)\" is not a valid name for a picture: use letters, digits, spaces, -, _, . and "
                        + "+, 1 to 64 bytes in UTF-8, but not \(Self.output)"
                )
            }
            guard !pictures[..<index].contains(where: { $0.name == picture.name }) else {
                throw RigError(.conflict, "there are two pictures \(picture.name): rename one of them")
            }
            guard let camera = picture.camera else { continue }
            for other in pictures[..<index] where other.source.identity != picture.source.identity {
                guard other.camera?.selector == camera.selector else { continue }
                throw RigError(
                    .conflict,
                    "\(other.name) and \(picture.name) are one camera with two sets of options: give both the same options"
                )
            }
        }
        guard pictures.count(where: \.source.readsStandardInput) + sound.count(where: \.readsStandardInput) <= 1 else {
            throw RigError(.conflict, "-: standard input can be read for one picture or sound only")
        }
    }

    private func check(_ layers: [RigLayer], of subject: String) throws(RigError) {
        for (index, layer) in layers.enumerated() {
            try checkPicture(layer.picture, for: subject)
            guard !layers[..<index].contains(where: { $0.picture == layer.picture }) else {
                throw RigError(.conflict, "\(subject): \(layer.picture) occurs twice; each picture can be shown once")
            }
        }
    }

    private func checkOutputs() throws(RigError) {
        guard outputs.filter(\.sink.writesStandardOutput).count <= 1 else {
            throw RigError(.conflict, "-: standard output can take one stream only")
        }
        for (index, output) in outputs.enumerated() {
            if let of = output.of { try checkPicture(of, for: output.sink.text) }
            guard let path = output.sink.path, outputs[..<index].contains(where: { $0.sink.path == path }) else {
                continue
            }
            throw RigError(.conflict, "two outputs write \(path): choose another name for one of them")
        }
    }

    private func checkStills() throws(RigError) {
        for still in stills {
            guard let option = still.cameraOption, let index = still.picture?.index, pictures.indices.contains(index)
            else { continue }
            let picture = pictures[index]
            switch picture.source.kind {
            // Test patterns replace missing cameras, so they accept a camera's options.
            case .camera, .pattern: continue
            case .picture, .y4m, .raw, .movie, .stream:
                throw RigError(
                    .invalid,
                    "the still \(still.path): \(option) is for a camera such as camera:0 or /dev/video0, but "
                        + "\(picture.name) is \(picture.source.text)")
            }
        }
    }

    private func checkTriggers() throws(RigError) {
        for (index, trigger) in triggers.enumerated() {
            let subject = "the trigger \(trigger.shown)"
            // Each of the two would perform the same actions at the same moments.
            guard !triggers[..<index].contains(trigger) else {
                throw RigError(.conflict, "\(subject) is given twice; leave one of them out")
            }
            switch trigger.cause {
            case .lost(let picture?), .motion(let picture, _): try checkPicture(picture, for: subject)
            case .sound:
                guard sound.isEmpty else { break }
                throw RigError(.invalid, "\(subject) listens, but there is no sound: add one such as --audio pulse")
            case .line:
                guard pictures.contains(where: { $0.source.filePath == "-" }) else { break }
                throw RigError(.invalid, "\(subject) reads standard input, which a picture reads already")
            case .value(let limit): try checkValues([limit.name], for: subject)
            case .lost(nil), .pressure, .input: break
            }
        }
    }

    private func checkTelemetry() throws(RigError) {
        for (index, source) in telemetry.enumerated() {
            let others = telemetry[..<index]
            let isTwice = others.contains {
                ($0.kind, $0.request) == (source.kind, source.request) && $0.database == source.database
                    && $0.track == source.track
            }
            guard !isTwice else {
                throw RigError(.conflict, "the source of values \(source.text) is given twice; leave one of them out")
            }
        }
        if hasTrack, let other = telemetry.first(where: { $0.track == nil }) {
            throw RigError(
                .conflict,
                "\(other.text) gives present values, and a track those of an old drive: leave one of them out")
        }
        for (index, track) in tracks.enumerated() {
            guard !tracks[..<index].contains(where: { $0.path == track.path }) else {
                throw RigError(.conflict, "two tracks write \(track.path): choose another name for one of them")
            }
            try checkValues(track.kind == .gpx ? ["latitude"] : ["speed"], for: "the track \(track.text)")
        }
        for output in outputs where output.sink.hasValues {
            try checkValues(["speed"], for: "the track of values in \(output.sink.text)")
        }
        for overlay in overlays {
            try checkValues(overlay.values, for: "the \(overlay.role) \(overlay.written)", arePresent: false)
        }
    }

    /// Checks that somebody may give values.
    ///
    /// - Parameters:
    ///   - names: The names of the values.
    ///   - subject: The part of the composition that needs them.
    ///   - arePresent: True for what needs values as they come, and not those of an old drive.
    /// - Throws: ``RigError`` when nobody gives them.
    private func checkValues(_ names: Set<String>, for subject: String, arePresent: Bool = true) throws(RigError) {
        guard let name = names.min() else { return }
        if telemetry.isEmpty {
            throw RigError(
                .invalid,
                "\(subject) needs the value \(name), but there is no source of values: add one such as --telemetry gpsd"
            )
        }
        if arePresent, let old = telemetry.first(where: { $0.track != nil }) {
            throw RigError(
                .invalid,
                "\(subject) needs present values, but \(old.text) has those of an old drive, for texts and gauges")
        }
    }

    /// Checks that each trigger has something to do.
    ///
    /// The check is for a composition as its author writes it: a user may end outputs and delete scenes later.
    ///
    /// - Throws: ``RigError`` for a trigger whose scene, output or stills are not there.
    package func checkActions() throws(RigError) {
        for trigger in triggers {
            for action in trigger.actions { try check(action, of: "the trigger \(trigger.shown)") }
        }
    }

    private func check(_ action: TriggerArgument.Action, of subject: String) throws(RigError) {
        func need(_ isThere: Bool, _ advice: String) throws(RigError) {
            guard !isThere else { return }
            throw RigError(.invalid, "\(subject) has nothing to do: \(advice)")
        }
        switch action {
        case .clip:
            try need(
                outputs.contains(where: \.sink.hasClips),
                "add an output of clips, such as clip-%H%M%S.mp4?event=15s+10s")
        case .split:
            try need(
                outputs.contains(where: \.sink.hasParts), "add an output in parts, such as a-%H%M%S.mp4?segment=3m")
        case .still: try need(!stills.isEmpty, "add --still FILE, or the key stills")
        case .scene(let name): _ = try index(ofScene: name)
        case .start(let name), .stop(let name): _ = try index(ofOutput: name)
        case .post(let webhook):
            if let obstacle = webhook.obstacle { throw RigError(.invalid, "\(webhook.label): \(obstacle)") }
        case .run(let program):
            if let obstacle = program.obstacle { throw RigError(.invalid, "\(program.label): \(obstacle)") }
        }
    }

    private func checkFiles() throws(RigError) {
        let read = pictures.map(\.source.filePath) + pictures.map(\.mask) + overlays.map(\.filePath)
        for case let path? in read where path != "-" && outputs.contains(where: { $0.sink.path == path }) {
            throw RigError(
                .conflict, "\(path) is read and would be overwritten: choose another name for the output")
        }
    }

    private func checkSound() throws(RigError) {
        for (index, argument) in sound.enumerated() where sound[..<index].contains(where: { $0.name == argument.name })
        {
            throw RigError(
                .conflict, "the sound \(argument.name) is given twice; give one of them another name")
        }
        for output in outputs {
            do throws(UsageError) { try output.sink.sound.check(among: sound.map(\.name), for: output.sink.text) } catch
            {
                throw RigError(.invalid, error.description)
            }
        }
    }
}

extension SourceArgument {
    /// The path that the source reads; nil for cameras, patterns and streams.
    package var filePath: String? {
        switch kind {
        case .picture(let path, _, _), .y4m(let path, _), .raw(let path, _): path
        case .movie(let movie): movie.path
        case .camera, .pattern, .stream: nil
        }
    }
}
