internal import Glibc

/// libFuzzer's loop: calls a function with inputs of its own making until one makes it crash, or take too long or too
/// much memory.
///
/// Source: LLVM, "libFuzzer – a library for coverage-guided fuzz testing", "Using libFuzzer as a library".
@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
    _ argumentCount: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ body: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

/// The parser under test; written once, before the first input.
nonisolated(unsafe) private var parser: any Parser = EveryParser.all[0]

/// Hands an input to the parser; libFuzzer's own `main`, which is linked but not used, wants it by this name.
@_cdecl("LLVMFuzzerTestOneInput")
private func parse(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    // A copy of its own: what is read beyond its end is noticed.
    unsafe parser.parse(Array(UnsafeBufferPointer(start: bytes, count: count)))
    return 0
}

/// `pip-fuzz PARSER [libFuzzer's arguments]`: hands a parser inputs that nobody would write.
@main
enum Main {
    static func main() {
        let name = CommandLine.arguments.dropFirst().first ?? ""
        guard let chosen = EveryParser.all.first(where: { $0.name == name }) else {
            print("pip-fuzz PARSER [argument of libFuzzer]..., PARSER being one of:")
            for parser in EveryParser.all { print("  \(parser.name)") }
            exit(name.isEmpty ? 0 : 64)
        }
        unsafe parser = chosen
        // libFuzzer sees the program's name, and what follows the parser's.
        var count = CommandLine.argc - 1
        var arguments = unsafe CommandLine.unsafeArgv + 1
        let status = unsafe withUnsafeMutablePointer(to: &arguments) { unsafe runDriver(&count, $0, parse) }
        exit(status)
    }
}

/// Something that reads what others wrote.
protocol Parser {
    /// As on the command line, and of the folder of its seeds.
    var name: String { get }

    /// Reads an input, which may be anything; refusing it is fine.
    func parse(_ bytes: [UInt8])
}

/// All parsers.
enum EveryParser {
    static var all: [any Parser] {
        [
            JPEGParser(), MJPEGParser(), PNGParser(), WebPParser(), GIFParser(), PixbufParser(), Y4MParser(),
            WAVParser(), CubeParser(),
            ShaderParser(),
            CurveParser(), OptionValueParser(), CommandLineParser(), PolicyParser(),
            ConfigurationParser(), DriverParser(),
            DrawingParser(),
        ]
    }
}
