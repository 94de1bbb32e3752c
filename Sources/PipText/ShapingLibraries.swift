internal import CShaping

/// The HarfBuzz and FriBidi libraries, loaded when the first text needs them.
enum ShapingLibraries {
    /// The reason for which no text can be shaped; nil when both libraries are loaded.
    static let obstacle: String? = {
        guard let reason = unsafe pip_load_shaping() else { return nil }
        return "HarfBuzz and FriBidi cannot be loaded: \(unsafe String(cString: reason)); "
            + "`apt-get install libharfbuzz0b libfribidi0` installs them"
    }()
}
