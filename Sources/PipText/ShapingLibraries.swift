internal import CFreeType
internal import CShaping
internal import PipSources

/// The HarfBuzz and FriBidi libraries, loaded when the first text needs them, and FreeType beside them.
enum ShapingLibraries {
    /// The reason for which no text can be shaped; nil when both libraries are loaded.
    static let obstacle: String? = {
        guard let reason = unsafe pip_load_shaping() else { return nil }
        return "HarfBuzz and FriBidi cannot be loaded: \(unsafe String(cString: reason)); "
            + "`apt-get install libharfbuzz0b libfribidi0` installs them"
    }()

    /// Starts FreeType.
    ///
    /// - Parameter label: The thing that needs it, for the message.
    /// - Returns: The library, which `FT_Done_FreeType` ends.
    /// - Throws: ``SourceError`` when a library is missing, or memory is exhausted.
    static func startFreeType(for label: String) throws(SourceError) -> FT_Library {
        if let obstacle { throw SourceError(label, "be drawn", .failed, obstacle) }
        var library: FT_Library?
        guard unsafe FT_Init_FreeType(&library) == 0, let library = unsafe library else {
            throw SourceError(label, "be drawn", .failed, "FreeType does not start: out of memory")
        }
        return unsafe library
    }
}
