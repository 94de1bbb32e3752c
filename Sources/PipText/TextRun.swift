internal import CShaping

/// Characters of a line that are shaped together: they have one script, one direction and one font.
struct TextRun {
    /// The characters' indices in the line.
    var range: Range<Int>
    var script: hb_script_t
    /// The embedding level.
    var level: Int8
    /// The font's index in its set.
    var font: Int

    var isRightToLeft: Bool { level % 2 == 1 }

    /// The distance between a glyph's possible positions, in 64ths of a pixel.
    ///
    /// Separate letters begin at whole pixels. Letters that join would show gaps, so they begin at quarters.
    var step: Int {
        switch script {
        case HB_SCRIPT_LATIN, HB_SCRIPT_GREEK, HB_SCRIPT_CYRILLIC, HB_SCRIPT_COMMON: 64
        default: 16
        }
    }

    /// Splits a line.
    ///
    /// - Parameters:
    ///   - line: The line's characters.
    ///   - levels: The characters' embedding levels.
    ///   - fonts: The fonts, one of which is chosen for each character and its marks.
    /// - Returns: The runs, in reading order.
    static func runs(of line: [Unicode.Scalar], levels: [Int8], fonts: FontSet) -> [TextRun] {
        var runs: [TextRun] = []
        let scripts = scripts(of: line)
        var font = 0
        var start = 0
        for character in String(String.UnicodeScalarView(line)) {
            let end = start + character.unicodeScalars.count
            font = fonts.index(for: character, after: font)
            for index in start..<end {
                let (script, level) = (scripts[index], levels[index])
                if let last = runs.last, last.script == script, last.level == level, last.font == font {
                    runs[runs.count - 1].range = last.range.lowerBound..<index + 1
                } else {
                    runs.append(TextRun(range: index..<index + 1, script: script, level: level, font: font))
                }
            }
            start = end
        }
        return runs
    }

    /// The script of each character.
    ///
    /// Spaces, digits and marks take the script of the letter before, else of the first letter.
    ///
    /// Source: Unicode Standard Annex #24, "Unicode Script Property", 5.1.
    private static func scripts(of line: [Unicode.Scalar]) -> [hb_script_t] {
        var scripts = line.map(\.script)
        var last = scripts.first { !$0.isShared } ?? HB_SCRIPT_COMMON
        for index in scripts.indices {
            if scripts[index].isShared { scripts[index] = last } else { last = scripts[index] }
        }
        return scripts
    }
}

extension Unicode.Scalar {
    /// The script in HarfBuzz's terms.
    var script: hb_script_t { unsafe hb_unicode_script(hb_unicode_funcs_get_default(), value) }
}

extension hb_script_t {
    /// True for characters that many scripts use.
    fileprivate var isShared: Bool {
        self == HB_SCRIPT_COMMON || self == HB_SCRIPT_INHERITED || self == HB_SCRIPT_UNKNOWN
    }
}
