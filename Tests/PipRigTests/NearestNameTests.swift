import Testing

@testable import PipRig

@Suite("Nearest names")
struct NearestNameTests {
    @Test(
        "the distance counts keystrokes",
        arguments: [
            ("vignette", "vignette", 0), ("vignete", "vignette", 1), ("vingette", "vignette", 1), ("", "abc", 3),
            ("blur", "", 4), ("kitten", "sitting", 3),
        ])
    func countsKeystrokes(_ left: String, _ right: String, _ distance: Int) {
        #expect(NearestName.distance(left, right) == distance)
        #expect(NearestName.distance(right, left) == distance)
    }

    @Test("a hint lists names where none is close, and is empty without names")
    func hints() {
        #expect(NearestName.hint(for: "zzzz", among: ["road", "driver"]) == "; known are road, driver")
        #expect(NearestName.hint(for: "zzzz", among: []) == "")
    }

    @Test(
        "a typing error or a prefix finds the name, and nonsense finds none",
        arguments: [
            ("sobl", "sobel"), ("Mirorr", "mirror"), ("gauss", "gaussian-blur"), ("sat", "saturation"),
            ("zzzz", nil), ("", nil), (String(repeating: "sepia", count: 1000), nil),
        ])
    func findsNames(_ text: String, _ name: String?) {
        #expect(NearestName.name(to: text, among: EffectCatalogue.names) == name)
    }
}
