internal import PipCompose

extension TriggerArgument {
    /// An effect of a trigger.
    package enum Action: Sendable, Equatable {
        /// Marks a moment for the recordings of clips.
        case clip
        /// Begins a new file of each recording in parts.
        case split
        /// Takes the composition's stills.
        case still
        case scene(String)
        /// Lets a paused output go on. Carries the output's path or address.
        case start(String)
        /// Pauses an output. Carries the output's path or address.
        case stop(String)
        /// Sends a message to a web server.
        case post(WebhookArgument)
        /// Runs a program.
        case run(ProgramArgument)

        /// The options that belong to actions of one kind, beside those of every trigger.
        static let options = ["header", "limit"]

        /// Reads a trigger's actions.
        ///
        /// - Parameters:
        ///   - texts: The values of `do`.
        ///   - options: The values of the trigger's other options, keyed by name.
        /// - Returns: The actions, in the same order.
        /// - Throws: ``UsageError`` for an unknown action, and for an option without its action.
        static func all(_ texts: [String], _ options: [String: String]) throws(UsageError) -> [Action] {
            let actions = try texts.map { text throws(UsageError) in try Action(text, options) }
            guard options["header"] == nil || actions.contains(where: \.isPost) else {
                throw UsageError("header is for messages to a web server: do=post:https://host/path")
            }
            guard options["limit"] == nil || actions.contains(where: \.isRun) else {
                throw UsageError("limit is for programs: do=run:/usr/local/bin/alert,limit=5s")
            }
            return actions
        }

        /// The forms of actions, for messages and descriptions.
        static let words =
            "clip, split, still, scene:NAME, start:OUTPUT, stop:OUTPUT, post:https://host/path or run:PROGRAM"

        private var isPost: Bool { if case .post = self { true } else { false } }

        private var isRun: Bool { if case .run = self { true } else { false } }

        private init(_ text: String, _ options: [String: String]) throws(UsageError) {
            let word = text.prefix { $0 != ":" }
            let value = String(text.dropFirst(word.count + 1))
            switch (word, value.isEmpty) {
            case ("clip", true) where text == word: self = .clip
            case ("split", true) where text == word: self = .split
            case ("still", true) where text == word: self = .still
            case ("scene", false): self = .scene(value)
            case ("start", false): self = .start(value)
            case ("stop", false): self = .stop(value)
            case ("post", false): self = .post(try WebhookArgument(value, header: options["header"]))
            case ("run", false):
                let limit = try options["limit"].map { value throws(UsageError) in try Duration(argument: value) }
                self = .run(try ProgramArgument(value, limit: limit))
            default:
                // The rest of an address may be a key.
                let shown = text.contains("://") ? "\(word):…" : valueText(text)
                throw UsageError("do is \(shown), but must be \(Self.words)")
            }
        }
    }
}
