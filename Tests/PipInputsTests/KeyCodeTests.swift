import Foundation
import Testing

@testable import PipInputs

@Suite("Names of keys")
struct KeyCodeTests {
    @Test(
        "a key is read by its name in any case, with and without its beginning, and by its number",
        arguments: [
            ("KEY_F13", 183), ("f13", 183), ("key_a", 30), ("B", 48), ("BTN_TRIGGER", 0x120), ("48", 48),
            ("KEY_1", 2), ("767", 767),
        ] as [(String, UInt16)])
    func reading(_ text: String, _ number: UInt16) {
        #expect(KeyCode(text)?.number == number)
    }

    @Test("other texts are no keys", arguments: ["", "0", "768", "-1", "KEY_", "KEY_NOTHING", "TRIGGER"])
    func mistakes(_ text: String) { #expect(KeyCode(text) == nil) }

    private static let header = "/usr/include/linux/input-event-codes.h"

    @Test(
        "the table has the names and numbers of the kernel's header",
        .enabled(if: FileManager.default.fileExists(atPath: header), "needs \(header)"))
    func table() throws {
        let text = try String(contentsOfFile: Self.header, encoding: .utf8)
        var numbers: [String: UInt16] = [:]
        for match in text.matches(of: /#define\s+((?:KEY|BTN)_\w+)\s+(\w+)/) {
            let value = String(match.output.2)
            let number = value.hasPrefix("0x") ? UInt16(value.dropFirst(2), radix: 16) : UInt16(value)
            numbers[String(match.output.1)] = number ?? numbers[value]
        }
        // Newer headers have more keys, and older ones fewer.
        #expect(numbers.count > 500)
        for (name, number) in numbers {
            guard let ours = KeyNames.numbers[name] else { continue }
            #expect(ours == number, "\(name)")
        }
        let missing = KeyNames.list.filter { numbers[$0.name] == nil }.count
        #expect(missing < 60 && numbers.count - KeyNames.list.count < 60)
    }
}
