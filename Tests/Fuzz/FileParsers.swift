import Glibc
import PipConcurrency
import PipFrames
import PipSound
import PipSources

@testable import PipEffects

/// Reads Y4M streams, at most 64 frames of each.
struct Y4MParser: Parser {
    let name = "y4m"
    private let file = MemoryFile()
    private let interruption = Interruption()

    func parse(_ bytes: [UInt8]) {
        file.write(bytes)
        guard let reader = try? Y4MReader(path: file.path, interruption: interruption),
            reader.description.layout.byteCount <= 1 << 14
        else { return }
        let buffer = FrameBuffer(reader.description.layout)
        var index = 0
        while index < 64, (try? reader.read(into: buffer, index: index)) == true { index += 1 }
    }
}

struct WAVParser: Parser {
    let name = "wav"
    private let file = MemoryFile()
    private let interruption = Interruption()

    func parse(_ bytes: [UInt8]) {
        file.write(bytes)
        guard let reader = try? WAVReader(path: file.path, interruption: interruption) else { return }
        var block = AudioBlock(reader.format, frames: 256)
        var left = 64
        while left > 0, let count = try? reader.read(into: &block), count > 0 { left -= 1 }
    }
}

/// Parses colour lookup tables in text formats.
struct CubeParser: Parser {
    let name = "cube"

    func parse(_ bytes: [UInt8]) { _ = try? CubeFile(bytes, path: "input") }
}

/// Parses effects in GLSL files.
struct ShaderParser: Parser {
    let name = "shader"

    func parse(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        guard let file = try? ShaderFile(text, path: "input") else { return }
        // Compiler messages count lines, so the rewritten source must have as many lines as the user's.
        let lines = [text, file.source.text].map { $0.count(where: \.isNewline) }
        precondition(lines[0] == lines[1])
        _ = try? ShaderFile(file.source.text, path: "input")
    }
}

/// Parses curve files of Photoshop (`.acv`).
struct CurveParser: Parser {
    let name = "acv"
    private let file = MemoryFile()

    func parse(_ bytes: [UInt8]) {
        file.write(bytes)
        _ = try? CurveFile(file.path)
    }
}

/// A file in memory, for readers that require a path.
struct MemoryFile {
    private let descriptor: CInt

    init() {
        var name = Array("/dev/shm/pip-fuzz-XXXXXX".utf8CString)
        descriptor = unsafe mkstemp(&name)
        _ = unsafe unlink(name)
    }

    var path: String { "/proc/self/fd/\(descriptor)" }

    /// Replaces the contents of the file.
    func write(_ bytes: [UInt8]) {
        ftruncate(descriptor, 0)
        _ = unsafe pwrite(descriptor, bytes, bytes.count, 0)
    }
}
