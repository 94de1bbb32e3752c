import Logging
import PipCompose

/// Draws the effects of files anew when the files change.
struct FileEffectWatch {
    /// Between two looks at a file: short for whoever edits it, and little to read.
    private static let interval = Duration.milliseconds(500)

    private let filters: [Filter<FileEffect>]
    private let console: Console

    init(_ filters: [Filter<FileEffect>], _ console: Console) {
        self.filters = filters
        self.console = console
    }

    /// Follows the files until the task is cancelled; while one is broken, its effect goes on as it was.
    func follow(_ session: Session) async {
        guard !filters.isEmpty else { return }
        var states = filters.map { State(read: $0.effect) }
        while !Task.isCancelled {
            try? await Task.sleep(for: Self.interval)
            for index in filters.indices { await look(at: filters[index], &states[index], session) }
        }
    }

    private struct State {
        /// As it was read last, drawn or refused; nil when it could not be read.
        var read: FileEffect?
        /// Said once, however often the file is read.
        var problem: String?
    }

    private func look(at filter: Filter<FileEffect>, _ state: inout State, _ session: Session) async {
        do {
            let last = state.read
            state.read = nil
            let fresh = try filter.effect.reloaded()
            state.read = fresh
            if let last, fresh.draws(as: last) { return }
            try await session.configure { try filter.update { $0 = fresh } }
            state.problem = nil
            console.write("\(fresh.path): drawn anew", .info, event: "effect-reloaded")
        } catch {
            let problem = CommandError(error).description
            if problem == state.problem { return }
            state.problem = problem
            console.writeError("\(problem); the effect stays as it was", event: "effect-rejected")
        }
    }
}
