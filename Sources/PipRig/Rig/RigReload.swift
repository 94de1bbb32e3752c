internal import PipCompose

/// The changes between two versions of a configuration.
///
/// Applying the changes keeps settings that other means, such as the panel, have changed, unless the configuration
/// changes the same settings.
package struct RigReload: Sendable {
    /// The version of the configuration that was last applied.
    private let base: Rig
    /// The new version of the configuration.
    private let file: Rig

    /// Creates the changes that lead from `base` to `file`.
    package init(from base: Rig, to file: Rig) {
        self.base = base
        self.file = file
    }

    /// Applies the changes to the running composition.
    ///
    /// - Parameter live: The running composition. Effects and outputs that the configuration did not change keep their
    ///   identifiers.
    package func apply(to live: inout Rig) {
        var rig = file
        rig.countIDs(from: live)
        rig.pictures = file.pictures.map { picture in
            guard let before = base[picture: picture.name], let now = live[picture: picture.name],
                before.hasSettings(of: picture)
            else { return picture }
            return now
        }
        rig.chains = chains(live, &rig)
        (rig.scenes, rig.scene, rig.layers) = scenes(live)
        rig.outputs = outputs(live, &rig)
        live = rig
    }

    private func chains(_ live: Rig, _ rig: inout Rig) -> [String: [RigEffect]] {
        var chains: [String: [RigEffect]] = [:]
        for target in file.pictures.map(\.name) + [Rig.output] {
            let (before, after, now) = (base.chains[target] ?? [], file.chains[target] ?? [], live.chains[target] ?? [])
            if before.count == after.count, zip(before, after).allSatisfy({ $0.hasSettings(of: $1) }) {
                chains[target] = now
                continue
            }
            var free = now[...]
            chains[target] = after.map { link in
                var link = link
                if let index = free.firstIndex(where: { $0.effect.catalogueName == link.effect.catalogueName }) {
                    link.id = free[index].id
                    free = free[free.index(after: index)...]
                } else {
                    link.id = rig.makeID("e")
                }
                return link
            }
        }
        return chains
    }

    private func scenes(_ live: Rig) -> ([RigScene], String?, [RigLayer]) {
        var scenes = file.scenes.map { scene in
            let (before, now) = (
                base.scenes.first { $0.name == scene.name }, live.scenes.first { $0.name == scene.name }
            )
            return before == scene ? now ?? scene : scene
        }
        // Keeps the scenes that clients of the panel have saved, if their pictures still exist.
        scenes += live.scenes.filter { scene in
            !scenes.contains { $0.name == scene.name } && !base.scenes.contains { $0.name == scene.name }
                && scene.layers.allSatisfy { file[picture: $0.picture] != nil }
        }
        if file.scenes == base.scenes, file.scene == base.scene, file.layers == base.layers {
            return (scenes, live.scene, live.layers)
        }
        if file.scene == base.scene, let shown = scenes.first(where: { $0.name == live.scene }) {
            return (scenes, shown.name, shown.layers)
        }
        return (scenes, file.scene, file.layers)
    }

    private func outputs(_ live: Rig, _ rig: inout Rig) -> [RigOutput] {
        var outputs = live.outputs.filter { output in
            let isOfFile = base.outputs.contains { $0.hasSettings(of: output) }
            return !isOfFile || file.outputs.contains { $0.hasSettings(of: output) }
        }
        for output in file.outputs where !outputs.contains(where: { $0.hasSettings(of: output) }) {
            // An output that a client has ended is not opened again until the configuration changes the output.
            guard !base.outputs.contains(where: { $0.hasSettings(of: output) }) else { continue }
            var output = output
            output.id = rig.makeID("o")
            outputs.append(output)
        }
        return outputs
    }
}

extension RigPicture {
    /// True when both pictures have equal settings.
    fileprivate func hasSettings(of other: RigPicture) -> Bool {
        source.identity == other.source.identity && isMirrored == other.isMirrored && absence == other.absence
            && mask == other.mask && isEnabled == other.isEnabled
    }
}

extension RigEffect {
    /// True when both effects have equal settings; identifiers may differ.
    fileprivate func hasSettings(of other: RigEffect) -> Bool {
        isEssential == other.isEssential && isMuted == other.isMuted && effect.equals(other.effect)
    }
}

extension RigOutput {
    /// True when both outputs have the same destination and picture; identifiers may differ.
    fileprivate func hasSettings(of other: RigOutput) -> Bool { sink == other.sink && of == other.of }
}
