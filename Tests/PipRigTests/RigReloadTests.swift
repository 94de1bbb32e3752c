import PipCompose
import Testing

@testable import PipRig

@Suite("Reloading a configuration")
struct RigReloadTests {
    private static let first = """
        cameras: {road: pattern:scene, driver: pattern:bars}
        scenes:
          drive: {main: road, insets: [driver]}
          talk: {main: driver}
        effects: {road: [sepia, {vignette: 0.4}], driver: [mirror]}
        outputs: [a.y4m, "null:"]
        """

    private func rig(_ text: String) throws -> Rig { try RigFile(text, path: "rig.yaml").rig }

    private func reloaded(_ second: String, _ change: (inout Rig) throws -> Void = { _ in }) throws -> (Rig, Rig) {
        let base = try rig(Self.first)
        var live = base
        try change(&live)
        let before = live
        RigReload(from: base, to: try rig(second)).apply(to: &live)
        return (before, live)
    }

    @Test("an equal file changes nothing, also after other changes")
    func equal() throws {
        let (before, after) = try reloaded(Self.first) { live in
            live.layers.swapAt(0, 1)
            live.chains["road"]?[0].isMuted = true
            live.outputs.removeFirst()
            live.outputs.append(RigOutput(id: live.makeID("o"), try SinkArgument("b.y4m"), of: nil))
            live.scenes.append(RigScene("mine", live.layers))
        }
        #expect(after.layers == before.layers && after.outputs == before.outputs && after.scenes == before.scenes)
        #expect(after.chains["road"]?.map(\.isMuted) == [true, false])
        #expect(after.chains["road"]?.map(\.id) == before.chains["road"]?.map(\.id))
    }

    @Test("differences are applied, and unchanged effects and outputs keep their IDs")
    func differs() throws {
        let second = Self.first.replacing("[sepia, {vignette: 0.4}]", with: "[{vignette: 0.8}, sobel]")
            .replacing("a.y4m", with: "c.y4m")
        let (before, after) = try reloaded(second)
        let chain = try #require(after.chains["road"])
        #expect(chain.map(\.effect.catalogueName) == ["vignette", "sobel"])
        #expect(chain[0].id == before.chains["road"]?[1].id)
        #expect(!(before.chains["road"] ?? []).map(\.id).contains(chain[1].id))
        #expect(after.chains["driver"]?.map(\.id) == before.chains["driver"]?.map(\.id))
        #expect(after.outputs.map(\.sink.text) == ["null:", "c.y4m"])
        #expect(after.outputs[0].id == before.outputs[1].id)
    }

    @Test("a shown scene that changes in the file is shown as in the file")
    func scene() throws {
        let second = Self.first.replacing("talk: {main: driver}", with: "talk: {main: driver, insets: [road]}")
        let (_, after) = try reloaded(second) { live in
            live.scene = "talk"
            live.layers = live.scenes[1].layers
        }
        #expect(after.scene == "talk" && after.layers.map(\.picture) == ["driver", "road"])
    }
}
