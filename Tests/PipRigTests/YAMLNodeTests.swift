import Testing

@testable import PipRig

@Suite("YAML")
struct YAMLNodeTests {
    @Test(
        "a text is a value, whatever its style and its line ends",
        arguments: [
            ("a & b", "a & b"), ("2 * 3", "2 * 3"), ("'& c'", "& c"), ("\"\\u00e9\"", "é"),
            ("|\n  one\n  two", "one\ntwo\n"),
            ("5 # five", "5"), ("!!str 5", "5"), ("", ""), ("~", "~"), ("é\r", "é"),
        ])
    func scalar(_ written: String, _ value: String) throws {
        let node = try #require(try YAMLNode.parsed("k: \(written)\n"))
        guard case .mapping(let pairs, line: 1) = node, case .scalar(value, line: _) = pairs[0].value else {
            Issue.record("\(node)")
            return
        }
    }

    @Test("a value knows the line where it begins")
    func lines() throws {
        let node = try #require(try YAMLNode.parsed("# comment\na:\n  - 1\n\n  - {b: 2,\n     c: 3}\n"))
        guard case .mapping(let pairs, line: 2) = node, case .sequence(let elements, line: 3) = pairs[0].value,
            case .mapping(let inner, line: 5) = elements[1]
        else {
            Issue.record("\(node)")
            return
        }
        #expect(elements[0].line == 3 && inner.map(\.value.line) == [5, 6])
    }

    @Test("a file of an editor that writes a byte order mark is read")
    func byteOrderMark() throws {
        #expect(try YAMLNode.parsed("\u{FEFF}a: 1")?.line == 1)
    }

    @Test("a text without a document has no value", arguments: ["", "\n", "# only a comment\n"])
    func empty(_ text: String) throws {
        #expect(try YAMLNode.parsed(text) == nil)
    }

    @Test(
        "a mistake is told with its line",
        arguments: [
            ("a: 1\n---\nb: 2\n", 2, "a second document begins"), ("a: 1\nb: 2\na: 3\n", 3, "the key a occurs twice"),
            ("a: &x 1\n", 1, "anchors and aliases"), ("a:\n  - *x\n", 2, "anchors and aliases"),
            ("a: {<<: *x}\n", 1, "anchors and aliases"),
            ("a: 1\n b: 2\n", 2, "the file is not valid YAML: mapping values"),
            ("a: \"\n\n", 3, "the file is not valid YAML: "), ("\ta: 1", 1, "the file is not valid YAML: "),
            (String(repeating: "- ", count: 65) + "a", 1, "nested more than 64 levels deep"),
        ])
    func mistakes(_ text: String, _ line: Int, _ reason: String) {
        let error = #expect(throws: YAMLError.self) { try YAMLNode.parsed(text) }
        #expect(error?.line == line && error?.reason.contains(reason) == true, "\(String(describing: error))")
    }

    @Test("lists are nested to the limit of 64 levels")
    func depth() throws {
        #expect(try YAMLNode.parsed(String(repeating: "[", count: 64) + String(repeating: "]", count: 64)) != nil)
    }
}
