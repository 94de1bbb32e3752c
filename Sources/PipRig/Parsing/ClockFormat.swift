/// Checks the `strftime` format of a clock overlay.
enum ClockFormat {
    private static let flags: Set<Character> = ["_", "-", "0", "^", "#"]
    private static let conversions = Set("aAbBcCdDeFgGhHIjklmMnpPrRsStTuUVwWxXyYzZ%+")

    /// Describes the first mistake in a format; nil for a valid format.
    ///
    /// Unknown conversions are mistakes, because C libraries print different things for them.
    ///
    /// Source: glibc's manual, "Formatting Calendar Time".
    static func mistake(in format: String) -> String? {
        var rest = format[...]
        while let start = rest.firstIndex(of: "%") {
            rest = rest[rest.index(after: start)...]
            let option = rest.prefix { flags.contains($0) || $0.isNumber }
            rest = rest.dropFirst(option.count)
            let modifier = rest.prefix { $0 == "E" || $0 == "O" }
            rest = rest.dropFirst(modifier.count)
            guard let letter = rest.first else {
                return "a % at the end is not a conversion; write %% for a percent sign"
            }
            let known = "as in '%Y-%m-%d %H:%M:%S'; write %% for a percent sign"
            if !conversions.contains(letter) {
                return "%\(option)\(modifier)\(letter) is not a conversion of a time, \(known)"
            }
            if option.count > 4 || modifier.count > 1 {
                return "%\(option)\(modifier)\(letter) is too long: at most 4 flags and digits, and one E or O, may "
                    + "stand between % and \(letter)"
            }
            rest = rest.dropFirst()
        }
        return nil
    }
}
