internal import CShaping

/// HarfBuzz and FriBidi, which are loaded for the first text.
enum ShapingLibraries {
    /// The reason why no text can be shaped; nil when both libraries are loaded.
    static let obstacle: String? = {
        guard let reason = unsafe pip_load_shaping() else { return nil }
        return "HarfBuzz and FriBidi cannot be loaded: \(unsafe String(cString: reason)); "
            + "`apt-get install libharfbuzz0b libfribidi0` installs them"
    }()
}
