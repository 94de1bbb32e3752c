internal import CFontconfig
internal import Glibc
internal import PipSources
internal import SystemPackage

/// The path of a font's file, and the font's index in it.
struct FontFile: Hashable {
    var path: String
    /// The index of the font face in the file.
    var face: Int

    /// Finds the file of a font.
    ///
    /// - Throws: ``SourceError`` when the font is not installed, or its file cannot be read.
    init(_ font: Font) throws(SourceError) {
        switch font.choice {
        case .file(let path, let face):
            self.init(path: path, face: face)
        case .name(let name):
            let installed = InstalledFont.all()
            guard let found = InstalledFont.best(of: installed, named: name) else {
                throw SourceError(
                    font.description, "be used", .notFound, InstalledFont.reason(installed))
            }
            self = found.file
        case .standard:
            guard let found = InstalledFont.standard() else {
                throw SourceError(font.description, "be used", .notFound, InstalledFont.reason([]))
            }
            self = found
        }
        guard unsafe access(path, R_OK) == 0 else {
            throw SourceError(path, "open", Errno(rawValue: errno))
        }
    }

    init(path: String, face: Int) {
        self.path = path
        self.face = face
    }
}

/// An installed font, as fontconfig lists it.
///
/// Source: Fontconfig Developers Reference, "FcFontList", "FcFontMatch".
struct InstalledFont {
    var file: FontFile
    var families: [String]
    var styles: [String]
    var fullNames: [String]
    /// The differences of weight and slant from a regular upright font, in fontconfig's units.
    var boldness: Int32
    var slant: Int32

    /// Lists all installed fonts that can be scaled.
    static func all() -> [InstalledFont] {
        guard let pattern = unsafe FcPatternCreate(), let objects = unsafe FcObjectSetCreate() else { return [] }
        defer {
            unsafe FcPatternDestroy(pattern)
            unsafe FcObjectSetDestroy(objects)
        }
        for object in [FC_FAMILY, FC_STYLE, FC_FULLNAME, FC_FILE, FC_INDEX, FC_WEIGHT, FC_SLANT, FC_SCALABLE] {
            unsafe FcObjectSetAdd(objects, object)
        }
        guard let list = unsafe FcFontList(nil, pattern, objects) else { return [] }
        defer { unsafe FcFontSetDestroy(list) }
        return (0..<Int(unsafe list.pointee.nfont)).compactMap { index in
            guard let font = unsafe list.pointee.fonts[index] else { return nil }
            return unsafe InstalledFont(font)
        }
    }

    /// Finds the system's sans-serif font; nil when fontconfig finds no font that can be scaled.
    static func standard() -> FontFile? {
        let pattern = unsafe "sans-serif".withCString { name in
            unsafe name.withMemoryRebound(to: FcChar8.self, capacity: 11) { unsafe FcNameParse($0) }
        }
        guard let pattern = unsafe pattern else { return nil }
        defer { unsafe FcPatternDestroy(pattern) }
        unsafe FcConfigSubstitute(nil, pattern, FcMatchPattern)
        unsafe FcDefaultSubstitute(pattern)
        var result = FcResultMatch
        guard let match = unsafe FcFontMatch(nil, pattern, &result) else { return nil }
        defer { unsafe FcPatternDestroy(match) }
        return unsafe InstalledFont(match)?.file
    }

    /// Finds the font whose full name, or whose family and style, are `name`, or else the plainest font of the family
    /// `name`; nil if none matches.
    static func best(of fonts: [InstalledFont], named name: String) -> InstalledFont? {
        let name = name.lowercased()
        let exact = fonts.first { font in
            let styled = font.families.flatMap { family in font.styles.map { "\(family) \($0)" } }
            return (font.fullNames + styled).contains { $0.lowercased() == name }
                && !font.families.contains { $0.lowercased() == name }
        }
        if let exact { return exact }
        return fonts.filter { $0.families.contains { $0.lowercased() == name } }
            .min { ($0.slant, $0.boldness, $0.file.path) < ($1.slant, $1.boldness, $1.file.path) }
    }

    /// The reason for a missing font: names up to eight installed families, or the package that installs a font.
    static func reason(_ installed: [InstalledFont]) -> String {
        let families = Set(installed.compactMap(\.families.first)).sorted()
        guard !families.isEmpty else {
            return "no font is installed; `apt-get install fonts-dejavu-core` installs one"
        }
        let more = families.count > 8 ? " and \(families.count - 8) more (`fc-list : family` lists them)" : ""
        return "it is not installed; installed fonts are \(families.prefix(8).joined(separator: ", "))\(more)"
    }

    @unsafe init?(_ pattern: OpaquePointer) {
        guard let path = unsafe Self.texts(pattern, FC_FILE).first else { return nil }
        var scalable: FcBool = 1
        _ = unsafe FcPatternGetBool(pattern, FC_SCALABLE, 0, &scalable)
        guard scalable != 0 else { return nil }
        // The sign bit, which marks a variable font at its default instance, is removed.
        file = FontFile(path: path, face: Int((unsafe Self.number(pattern, FC_INDEX) ?? 0) & .max))
        families = unsafe Self.texts(pattern, FC_FAMILY)
        styles = unsafe Self.texts(pattern, FC_STYLE)
        fullNames = unsafe Self.texts(pattern, FC_FULLNAME)
        boldness = abs((unsafe Self.number(pattern, FC_WEIGHT) ?? FC_WEIGHT_REGULAR) - FC_WEIGHT_REGULAR)
        slant = unsafe Self.number(pattern, FC_SLANT) ?? 0
    }

    @unsafe private static func number(_ pattern: OpaquePointer, _ object: String) -> Int32? {
        var value: Int32 = 0
        return unsafe FcPatternGetInteger(pattern, object, 0, &value) == FcResultMatch ? value : nil
    }

    /// All values of a property, such as the names of a font in several languages.
    @unsafe private static func texts(_ pattern: OpaquePointer, _ object: String) -> [String] {
        var texts: [String] = []
        var value: UnsafeMutablePointer<FcChar8>?
        while unsafe FcPatternGetString(pattern, object, Int32(texts.count), &value) == FcResultMatch,
            let text = unsafe value
        {
            texts.append(unsafe String(cString: text))
        }
        return texts
    }
}
