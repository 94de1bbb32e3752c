internal import PipCompose

/// Notices changes of the files that effects were read from.
struct FileEffectWatch {
    /// Between two looks at a file: short for whoever edits it, and little to read.
    static let interval = Duration.milliseconds(500)

    private struct State {
        /// As it was read last, drawn or refused; nil when it could not be read.
        var read: FileEffect?
        /// Said once, however often the file is read.
        var problem: String?
    }

    private var states: [String: State] = [:]

    /// The files that have changed since the last look, and those that cannot be read any more; each is told once.
    mutating func changes(of rig: Rig) -> [Result<FileEffect, any Error>] {
        var changes: [Result<FileEffect, any Error>] = []
        let files = rig.chains.sorted { $0.key < $1.key }.flatMap(\.value).compactMap { $0.effect as? FileEffect }
        states = states.filter { path, _ in files.contains { $0.path == path } }
        for file in files {
            var state = states[file.path] ?? State(read: file)
            defer { states[file.path] = state }
            do throws(EffectError) {
                let last = state.read
                state.read = nil
                let fresh = try file.reloaded()
                state.read = fresh
                if let last, fresh.draws(as: last) { continue }
                changes.append(.success(fresh))
                state.problem = nil
            } catch {
                guard state.problem != error.description else { continue }
                state.problem = error.description
                changes.append(.failure(error))
            }
        }
        return changes
    }

    /// Notes that an effect could not be drawn; nil when that was told before.
    mutating func refused(_ effect: FileEffect, because error: any Error) -> (any Error)? {
        guard states[effect.path]?.problem != "\(error)" else { return nil }
        states[effect.path]?.problem = "\(error)"
        return error
    }
}

extension Rig {
    /// Takes a file's effect anew wherever it is used, with the values that each has.
    mutating func replaceFile(with fresh: FileEffect) {
        for (target, chain) in chains {
            for (index, link) in chain.enumerated() {
                guard let file = link.effect as? FileEffect, file.path == fresh.path else { continue }
                var effect = fresh
                // A parameter that the file has no more, or allows less of, has its default.
                for setting in file.settingsNow { try? effect.set(setting.name, text: "\(setting.value)") }
                chains[target]?[index].effect = effect
            }
        }
    }
}
