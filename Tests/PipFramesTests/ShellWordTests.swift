import PipFrames
import Testing

@Suite("Words of a command line")
struct ShellWordTests {
    @Test(
        "a command line is split as a shell splits it, without its expansions",
        arguments: [
            ("", []), ("  ", []), ("a", ["a"]), (" a  b\tc ", ["a", "b", "c"]), ("a 'b c' d", ["a", "b c", "d"]),
            (#"a "b 'c'" 'd "e"'"#, ["a", "b 'c'", #"d "e""#]), ("'' \"\"", ["", ""]), (#"a\ b c\\"#, ["a b", #"c\"#]),
            (#""a\"b\n" 'a\'"#, [#"a"b\n"#, #"a\"#]), ("x'y'\"z\"", ["xyz"]), ("$HOME *", ["$HOME", "*"]), ("'", nil),
            ("a \"b", nil), (#"a\"#, nil),
        ] as [(String, [String]?)])
    func words(_ text: String, _ words: [String]?) { #expect(ShellWord.words(of: text) == words) }

    @Test("quoted words are split back", arguments: ["", "a b", "it's", #"a"b"#, "#a", #"\"#, "plain"])
    func quoted(_ word: String) { #expect(ShellWord.words(of: ShellWord.quoted(word)) == [word]) }
}
