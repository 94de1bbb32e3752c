/// The format of a clock, as `strftime` has it.
enum ClockFormat {
    private static let flags: Set<Character> = ["_", "-", "0", "^", "#"]
    private static let conversions = Set("aAbBcCdDeFgGhHIjklmMnpPrRsStTuUVwWxXyYzZ%+")

    /// The mistake in a format; nil when all of it is a time.
    ///
    /// The C library shows what it does not know as it stands, or differently from one to the other.
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
                return "a % at the end says no part of the time; for the sign itself write %%"
            }
            let known = "as in '%Y-%m-%d %H:%M:%S'; for the sign itself write %%"
            if !conversions.contains(letter) {
                return "%\(option)\(modifier)\(letter) is no part of the time, \(known)"
            }
            if option.count > 4 || modifier.count > 1 { return "%\(option)\(modifier)\(letter) is too long, \(known)" }
            rest = rest.dropFirst()
        }
        return nil
    }
}
