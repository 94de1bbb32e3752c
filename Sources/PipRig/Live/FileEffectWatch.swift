internal import PipCompose

/// Finds changed GLSL files of effects by polling.
struct FileEffectWatch {
    /// The polling interval, short enough for a user who edits a file and watches the picture.
    static let interval = Duration.milliseconds(500)

    private struct State {
        /// The effect as last read, even if the session refused to draw it; nil when the file was unreadable.
        var read: FileEffect?
        /// The last reported problem, so that the watch reports it once.
        var problem: String?
    }

    private var states: [String: State] = [:]

    /// Returns the effects whose files have changed since the last call, and the errors of files that became
    /// unreadable.
    ///
    /// Each change and each error is returned once.
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

    /// Records that the session refused to draw a changed effect.
    ///
    /// - Returns: The error to report, or nil for an error that was already reported.
    mutating func refused(_ effect: FileEffect, because error: any Error) -> (any Error)? {
        guard states[effect.path]?.problem != "\(error)" else { return nil }
        states[effect.path]?.problem = "\(error)"
        return error
    }
}

extension Rig {
    /// Replaces every use of a GLSL file's effect by the file's new version.
    ///
    /// The effects keep the parameter values that the new version accepts.
    mutating func replaceFile(with fresh: FileEffect) {
        for (target, chain) in chains {
            for (index, link) in chain.enumerated() {
                guard let file = link.effect as? FileEffect, file.path == fresh.path else { continue }
                var effect = fresh
                // A value that the new version refuses is dropped, and so is the value of a removed parameter.
                for setting in file.presentSettings { try? effect.set(setting.name, text: "\(setting.value)") }
                chains[target]?[index].effect = effect
            }
        }
    }
}
