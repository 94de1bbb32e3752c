internal import CFontconfig

/// All installed fonts, sorted by fontconfig by their similarity to a family and style, and by the user's language.
///
/// Thread: one thread at a time.
///
/// Source: Fontconfig Developers Reference, "FcFontSort".
@safe final class SortedFonts {
    private let fonts: UnsafeMutablePointer<FcFontSet>?

    /// The installed fonts, colour emoji fonts first.
    static var emoji: SortedFonts {
        unsafe SortedFonts("emoji") { pattern in unsafe FcPatternAddBool(pattern, FC_COLOR, 1) }
    }

    /// Sorts the installed fonts by their similarity to a font.
    ///
    /// - Parameters:
    ///   - family: The font's family.
    ///   - isBold: True if the font is bold.
    ///   - isSlanted: True if the font is slanted.
    convenience init(like family: String, isBold: Bool, isSlanted: Bool) {
        unsafe self.init(family) { pattern in
            unsafe FcPatternAddInteger(pattern, FC_WEIGHT, isBold ? FC_WEIGHT_BOLD : FC_WEIGHT_REGULAR)
            unsafe FcPatternAddInteger(pattern, FC_SLANT, isSlanted ? FC_SLANT_ITALIC : FC_SLANT_ROMAN)
        }
    }

    private init(_ family: String, _ add: (OpaquePointer) -> Void) {
        guard let pattern = unsafe FcPatternCreate() else {
            unsafe fonts = nil
            return
        }
        defer { unsafe FcPatternDestroy(pattern) }
        unsafe FcPatternAddString(pattern, FC_FAMILY, Array(family.utf8) + [0])
        unsafe add(pattern)
        unsafe FcConfigSubstitute(nil, pattern, FcMatchPattern)
        unsafe FcDefaultSubstitute(pattern)
        var result = FcResultMatch
        unsafe fonts = unsafe FcFontSort(nil, pattern, 0, nil, &result)
    }

    deinit {
        if let fonts = unsafe fonts { unsafe FcFontSetSortDestroy(fonts) }
    }

    /// The files of the fonts that have all the given characters, in sorted order.
    func files(having scalars: [Unicode.Scalar]) -> some Sequence<FontFile> {
        (0..<(unsafe fonts.map { Int(unsafe $0.pointee.nfont) } ?? 0)).lazy.compactMap { [self] index in
            guard let font = unsafe fonts?.pointee.fonts[index] else { return nil }
            var characters: OpaquePointer?
            guard unsafe FcPatternGetCharSet(font, FC_CHARSET, 0, &characters) == FcResultMatch,
                scalars.allSatisfy({ unsafe FcCharSetHasChar(characters, $0.value) != 0 })
            else { return nil }
            return unsafe InstalledFont(font)?.file
        }
    }
}
