internal import Glibc

/// Runs libFuzzer, which calls `body` with generated inputs until one fails or a limit in the arguments is reached.
///
/// Source: LLVM, "libFuzzer – a library for coverage-guided fuzz testing", "Using libFuzzer as a library".
@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
    _ argumentCount: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ body: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

/// The parser under test, which `main` sets before the first input.
nonisolated(unsafe) private var parser: any Parser = EveryParser.all[0]

/// Passes an input to the parser.
///
/// libFuzzer's own `main`, which is linked but unused, requires this name.
@_cdecl("LLVMFuzzerTestOneInput")
private func parse(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    // The input is copied, so that the sanitizer detects reads beyond its end.
    unsafe parser.parse(Array(UnsafeBufferPointer(start: bytes, count: count)))
    return 0
}

/// `pip-fuzz PARSER [libFuzzer's arguments]`: passes generated inputs to a parser.
@main
enum Main {
    static func main() {
        let name = CommandLine.arguments.dropFirst().first ?? ""
        guard let chosen = EveryParser.all.first(where: { $0.name == name }) else {
            let parsers = EveryParser.all.map { "  \($0.name)\n" }.joined()
            if name.isEmpty {
                print("usage: pip-fuzz PARSER [ARGUMENT-OF-LIBFUZZER]...; the parsers are:\n\(parsers)", terminator: "")
                exit(0)
            }
            let text = "pip-fuzz: unknown parser \(name); the parsers are:\n\(parsers)"
            _ = unsafe write(STDERR_FILENO, text, text.utf8.count)
            exit(64)
        }
        unsafe parser = chosen
        // libFuzzer expects the name of the program, and then the arguments after the parser's name.
        var count = CommandLine.argc - 1
        var arguments = unsafe CommandLine.unsafeArgv + 1
        let status = unsafe withUnsafeMutablePointer(to: &arguments) { unsafe runDriver(&count, $0, parse) }
        exit(status)
    }
}

/// A parser that the fuzzer tests with generated inputs.
protocol Parser {
    /// The parser's name on the command line, also the name of its folder of seeds.
    var name: String { get }

    /// Parses an input of any bytes.
    ///
    /// The parser may reject the input, but must not crash.
    func parse(_ bytes: [UInt8])
}

/// The parsers that `pip-fuzz` can test.
enum EveryParser {
    static var all: [any Parser] {
        [
            JPEGParser(), MJPEGParser(), PNGParser(), WebPParser(), GIFParser(), PixbufParser(), Y4MParser(),
            WAVParser(), CubeParser(),
            ShaderParser(),
            CurveParser(), OptionValueParser(), CommandLineParser(), PolicyParser(),
            ConfigurationParser(), TriggerParser(), DriverParser(), InputDeviceParser(), BusParser(),
            DrawingParser(),
        ]
    }
}
