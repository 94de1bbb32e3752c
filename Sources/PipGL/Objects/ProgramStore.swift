internal import SystemPackage

/// The GLSL text that identifies a program: vertex and fragment shader, or a compute shader as the second text.
struct ProgramSource: Hashable {
    let vertex: String
    let fragment: String
}

/// Saves programs' binaries in a folder, with a file for each program.
struct ProgramStore {
    /// The largest number of programs that the folder keeps.
    static let fileLimit = 512

    private let files: CacheFolder

    init(folder: FilePath) { files = CacheFolder(folder, suffix: ".program", fileLimit: Self.fileLimit) }

    /// Loads the binary of a program; nil when none was saved for this driver and text.
    func load(_ source: ProgramSource, driver: String) -> ProgramBinary? {
        guard let binary = files.load([driver, source.vertex, source.fragment]), binary.count > 4 else { return nil }
        let format = binary.prefix(4).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        return ProgramBinary(format: format, bytes: Array(binary.dropFirst(4)))
    }

    /// Saves the binary of a program for a driver; does nothing when the file cannot be written.
    func save(_ binary: ProgramBinary, of source: ProgramSource, driver: String) {
        let format = (0..<4).map { UInt8(truncatingIfNeeded: binary.format >> (8 * $0)) }
        files.save(format + binary.bytes, for: [driver, source.vertex, source.fragment])
    }
}
