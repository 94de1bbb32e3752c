internal import CShaping

/// Debian's font packages that cover the world's scripts.
enum FontPackage: String {
    case core = "fonts-noto-core"
    case cjk = "fonts-noto-cjk"
    case emoji = "fonts-noto-color-emoji"

    /// Chooses the package for a character by its script; nil for a private-use, unassigned or surrogate character.
    init?(having scalar: Unicode.Scalar) {
        switch scalar.properties.generalCategory {
        case .privateUse, .unassigned, .surrogate: return nil
        default: break
        }
        switch scalar.script {
        case HB_SCRIPT_HAN, HB_SCRIPT_HIRAGANA, HB_SCRIPT_KATAKANA, HB_SCRIPT_HANGUL, HB_SCRIPT_BOPOMOFO: self = .cjk
        case HB_SCRIPT_COMMON where (0x3000...0x33ff).contains(scalar.value): self = .cjk
        case HB_SCRIPT_COMMON where (0xff00...0xffef).contains(scalar.value): self = .cjk
        default: self = scalar.properties.isEmojiPresentation ? .emoji : .core
        }
    }
}
