internal import CShaping

/// A run of characters in a line with one script, one direction and one font, which are shaped together.
struct TextRun {
    /// The characters' indices in the line.
    var range: Range<Int>
    var script: hb_script_t
    /// The bidirectional embedding level of the characters.
    var level: Int8
    /// The index of the font in the font set's `faces`.
    var font: Int

    var isRightToLeft: Bool { level % 2 == 1 }

    /// The grid on which glyphs are placed, in 64ths of a pixel.
    ///
    /// Latin, Greek and Cyrillic letters start at whole pixels. The letters of other scripts may be joined, so they
    /// start at quarter pixels, which leaves no gaps.
    var step: Int {
        switch script {
        case HB_SCRIPT_LATIN, HB_SCRIPT_GREEK, HB_SCRIPT_CYRILLIC, HB_SCRIPT_COMMON: 64
        default: 16
        }
    }

    /// Splits a line into runs.
    ///
    /// - Parameters:
    ///   - line: The line's characters.
    ///   - levels: The embedding level of each character.
    ///   - fonts: The fonts to choose from, one for each character with its marks.
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
    /// Spaces, digits and marks take the script of the previous letter, or else of the first letter.
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
    /// The character's script, as HarfBuzz identifies it.
    var script: hb_script_t { unsafe hb_unicode_script(hb_unicode_funcs_get_default(), value) }
}

extension hb_script_t {
    /// True if characters with this script property take the script of the previous letter.
    fileprivate var isShared: Bool {
        self == HB_SCRIPT_COMMON || self == HB_SCRIPT_INHERITED || self == HB_SCRIPT_UNKNOWN
    }
}
