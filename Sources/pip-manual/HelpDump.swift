import Foundation

/// The description of a command that the argument parser prints for `--experimental-dump-help`.
struct HelpDump: Decodable {
    struct Command: Decodable {
        let commandName: String
        let abstract: String?
        let discussion: String?
        let shouldDisplay: Bool?
        let subcommands: [Command]?
        let arguments: [Argument]?
    }

    struct Argument: Decodable {
        enum Kind: String, Decodable {
            case positional
            case option
            case flag
        }

        struct Name: Decodable {
            enum Kind: String, Decodable {
                case long
                case short
                case longWithSingleDash
            }

            let kind: Kind
            let name: String

            /// The name as users type it, with its hyphens.
            var text: String { (kind == .long ? "--" : "-") + name }
        }

        let kind: Kind
        let names: [Name]?
        let valueName: String?
        let sectionTitle: String?
        let abstract: String?
        let defaultValue: String?
        let isOptional: Bool
        let isRepeating: Bool
        let shouldDisplay: Bool
    }

    let command: Command
}
