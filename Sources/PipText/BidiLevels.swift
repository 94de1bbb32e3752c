internal import CShaping

/// The embedding levels of a line's characters, computed by FriBidi.
///
/// Even levels run from left to right, odd levels from right to left.
///
/// Source: Unicode Standard Annex #9, "Unicode Bidirectional Algorithm".
struct BidiLevels {
    private(set) var levels: [Int8]
    /// True if the base direction of the line is from right to left.
    private(set) var isRightToLeft: Bool

    /// - Parameters:
    ///   - line: The line's characters.
    ///   - fallback: True if a line without letters runs from right to left.
    init(_ line: [UInt32], isRightToLeft fallback: Bool) {
        levels = Array(repeating: fallback ? 1 : 0, count: line.count)
        isRightToLeft = fallback
        let count = Int32(line.count)
        let types = Self.types(line)
        var brackets = [FriBidiBracketType](repeating: 0, count: line.count)
        unsafe fribidi_get_bracket_types(line, count, types, &brackets)
        var direction = fallback ? FRIBIDI_PAR_WRTL : FRIBIDI_PAR_WLTR
        guard unsafe fribidi_get_par_embedding_levels_ex(types, brackets, count, &direction, &levels) > 0 else {
            return
        }
        isRightToLeft = direction == FRIBIDI_PAR_RTL || direction == FRIBIDI_PAR_WRTL
    }

    /// True if the first letter of a text belongs to a script that runs from right to left.
    static func isRightToLeft(_ text: [UInt32]) -> Bool {
        unsafe fribidi_get_par_direction(types(text), Int32(text.count)) == FRIBIDI_PAR_RTL
    }

    /// The order in which runs are placed from left to right, by rule L2.
    ///
    /// - Parameter levels: The levels of a line's runs, in reading order.
    /// - Returns: The indices of the runs, from left to right.
    static func visualOrder(_ levels: [Int8]) -> [Int] {
        var order = Array(levels.indices)
        guard let highest = levels.max(), let lowestOdd = levels.filter({ $0 % 2 == 1 }).min() else { return order }
        for level in stride(from: highest, through: lowestOdd, by: -1) {
            var start = 0
            while start < order.count {
                let end = order[start...].firstIndex { levels[$0] < level } ?? order.count
                order[start..<end].reverse()
                start = end + 1
            }
        }
        return order
    }

    private static func types(_ text: [UInt32]) -> [FriBidiCharType] {
        var types = [FriBidiCharType](repeating: FriBidiCharType(0), count: text.count)
        unsafe fribidi_get_bidi_types(text, Int32(text.count), &types)
        return types
    }
}
