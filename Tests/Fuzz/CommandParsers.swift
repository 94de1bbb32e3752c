import ArgumentParser
import PipCompose

@testable import PipRig
@testable import pip_compose

/// Parses whole command lines, whose words are separated by zero bytes.
struct CommandLineParser: Parser {
    let name = "command-line"

    func parse(_ bytes: [UInt8]) {
        let words = bytes.split(separator: 0, omittingEmptySubsequences: false)
        _ = try? RootCommand.parseAsRoot(words.map { String(decoding: $0, as: UTF8.self) })
    }
}

/// Parses values of options, which takes less time than parsing whole command lines.
///
/// The first byte selects the option, and the others are its value.
struct OptionValueParser: Parser {
    let name = "option-value"

    func parse(_ bytes: [UInt8]) {
        guard let option = bytes.first else { return }
        let text = String(decoding: bytes.dropFirst(), as: UTF8.self)
        switch option % 16 {
        case 0: _ = try? SourceArgument(text)
        case 1: _ = try? SinkArgument(text)
        case 2: _ = try? LayoutArgument(text)
        case 3: _ = try? EffectArgument(text)
        case 4: _ = try? ChainSyntax(text)
        case 5: _ = try? Duration(argument: text)
        case 6: _ = try? FrameRate(argument: text)
        case 7: _ = try? PixelSize(argument: text)
        case 8: _ = try? ClockArgument(text)
        case 9: _ = try? AbsenceArgument(text)
        case 10: _ = try? BlendMode(argument: text)
        case 11: _ = try? OverlayArgument(text: text)
        case 12: _ = try? OverlayArgument(clock: text)
        case 13: _ = try? OverlayArgument(watermark: text)
        case 14: _ = try? OverlayArgument(sticker: text)
        default:
            _ = try? MaskArgument(text)
            _ = try? AudioArgument(text)
            _ = try? BrokerArgument(text)
        }
    }
}

struct PolicyParser: Parser {
    let name = "policy"

    func parse(_ bytes: [UInt8]) {
        _ = try? PolicyFile(String(decoding: bytes, as: UTF8.self), path: "input").policy()
    }
}

/// Parses configuration files, and writes the parsed ones again.
struct ConfigurationParser: Parser {
    let name = "configuration"

    func parse(_ bytes: [UInt8]) {
        guard let file = try? RigFile(String(decoding: bytes, as: UTF8.self), path: "input") else { return }
        _ = RigFileWriter.text(of: file)
    }
}
