import PipCompose
import Testing

@testable import PipRig

@Suite("Layers as keys and values")
struct LayerItemsTests {
    @Test(
        "a layer's value is set from its text",
        arguments: [
            ("visible", "off"), ("at", "bottom-left"), ("at", "-10:20"), ("at", "cell:1:0:2:2"), ("width", "33.3%"),
            ("width", "320"), ("height", "50%"), ("margin", "7"), ("opacity", "0.25"), ("radius", "12"),
            ("border", "2:#ff0000"), ("shadow", "9"), ("rotate", "270"), ("mirror", "on"), ("fit", "stretch"),
            ("crop", "1:2:30:40"), ("z", "-3"), ("blend", "chroma-key:color=#00ff00"), ("sampling", "lanczos"),
        ])
    func roundTrip(_ key: String, _ text: String) throws {
        let layer = try LayerItems.layer(RigLayer("a"), with: [(key, text)])
        let changes = LayerItems.changes(of: layer)
        #expect(changes.map(\.key) == [key])
        let told = try #require(changes.first?.value.text)
        #expect(try LayerItems.layer(RigLayer("a"), with: [(key, told)]) == layer)
        #expect(try LayerItems.layer(layer, with: [(key, nil)]) == RigLayer("a"))
    }

    @Test("setting one value keeps the others")
    func single() throws {
        let layer = RigLayer("a", try InsetLayout("top-right,width=25%,radius=3,rotate=90,mirror"), usual: .full)
        let moved = try LayerItems.layer(layer, with: [("at", "left")])
        #expect(
            LayerItems.changes(of: moved).filter { $0.key != "at" }.map(\.key) == [
                "width", "radius", "rotate", "mirror",
            ])
        let unmirrored = try LayerItems.layer(layer, with: [("mirror", "off")])
        #expect(unmirrored.placement.orientation == Orientation(quarterTurns: 1))
    }

    @Test("an unknown key is refused with the nearest key, and an invalid value with its range")
    func mistakes() throws {
        #expect(throws: UsageError("a layer has no key opacty; did you mean opacity?")) {
            try LayerItems.layer(RigLayer("a"), with: [("opacty", "1")])
        }
        #expect(throws: UsageError.self) { try LayerItems.layer(RigLayer("a"), with: [("opacity", "2")]) }
        #expect(throws: UsageError.self) { try LayerItems.layer(RigLayer("a"), with: [("at", "cell:2:0:2:1")]) }
    }
}
