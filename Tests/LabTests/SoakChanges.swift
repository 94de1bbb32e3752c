import Foundation
import PipRig
import PipTestSupport

/// Random changes through the panel's API, with the state that they must lead to.
struct SoakChanges {
    /// The composition that the soak runs and changes.
    ///
    /// The CPU draws the composition. A software driver of OpenGL would cache programs up to its limit, which would
    /// look like a leak.
    static func rig(_ nodes: [VideoNode]) throws -> Rig {
        let mode = "size: 320x180, fps: 2"
        let text = """
            canvas: {size: 320x180, fps: 2}
            cameras:
              road: {source: \(nodes[0].path), \(mode)}
              driver: {source: \(nodes[1].path), \(mode), when-missing: slate}
            scenes:
              drive: {main: road, insets: [{of: driver, at: top-right, width: 25%}]}
              talk: {main: driver, insets: [{of: road, at: bottom-left, width: 30%}]}
            effects: {driver: [{saturation: 1.2}]}
            outputs: ["null:?format=nv12"]
            draw: {renderer: cpu}
            """
        return try RigFile(text, path: "soak.yaml").rig
    }

    /// A request with the expected answer and its effect on the expected state.
    struct Change: CustomStringConvertible {
        let method: String
        /// The path of the request, relative to `/api/v1/`.
        let path: String
        let body: String?
        /// Returns true if the answer is correct.
        let isMade: (JSON) -> Bool
        /// Applies the change to the expected state.
        ///
        /// The second argument is the answer to the request.
        let effect: (inout Expectation, JSON) -> Void

        var description: String { "\(method) \(path) \(body ?? "")" }
    }

    /// The state that the requests so far must have led to.
    struct Expectation {
        var layers: [(id: String, at: JSON)] = []
        var scene = "drive"
        var saturation = 1.2
        /// The identifier of the effect that was added to the source `road`; nil without such an effect.
        var tint: String?
        var isPaused = false
    }

    /// The identifier of the output that the changes pause and resume.
    var output = ""
    private var dice: Dice
    private var wanted = Expectation()

    init(seed: Int) { dice = Dice(seed) }

    /// Chooses the next random change.
    mutating func next() -> Change {
        let picture = ["road", "driver"].randomElement(using: &dice) ?? "road"
        switch Int.random(in: 0..<8, using: &dice) {
        case 0, 1: return move(picture)
        case 2: return saturate()
        case 3: return tint()
        case 4: return activate()
        case 5: return swap()
        case 6: return pause()
        default:
            return Change(method: "PUT", path: "scenes/mine", body: "{}", isMade: { $0["name"] == .string("mine") }) {
                wanted, _ in wanted.scene = "mine"
            }
        }
    }

    /// Records that a change was made, with its answer.
    mutating func note(_ change: Change, _ answer: JSON) { change.effect(&wanted, answer) }

    /// Describes the differences between a state document and the expected state.
    func differences(from state: JSON) -> [String] {
        var differences: [String] = []
        func check(_ isSo: Bool, _ text: String) { if !isSo { differences.append(text) } }
        for (index, layer) in wanted.layers.enumerated() {
            let found = state["layers"]?.elements.dropFirst(index).first
            check(found?["id"] == .string(layer.id) && found?["at"] == layer.at, "layer \(index): \(layer)")
        }
        check(state["scene"]?["name"] == .string(wanted.scene), "scene \(wanted.scene)")
        let values = state["chains"]?["driver"]?.elements.first?["values"]
        check(values?["saturation"] == .number(wanted.saturation, decimals: 4), "saturation \(wanted.saturation)")
        check(state["chains"]?["road"]?.elements.first?["id"]?.string == wanted.tint, "tint \(wanted.tint ?? "none")")
        let output = state["outputs"]?.elements.first?["state"]
        check(output == .string(wanted.isPaused ? "paused" : "running"), "paused \(wanted.isPaused)")
        return differences
    }

    /// Makes a change that moves a layer and changes its opacity.
    private mutating func move(_ picture: String) -> Change {
        let place = "\(Int.random(in: 0...240, using: &dice)):\(Int.random(in: 0...130, using: &dice))"
        let opacity = [0.25, 0.375, 0.5, 0.75].randomElement(using: &dice) ?? 0.5
        let duration = ["0s", "300ms", "3s"].randomElement(using: &dice) ?? "0s"
        return Change(
            method: "PATCH", path: "scene",
            body: """
                {"layers": {"\(picture)": {"at": "\(place)", "opacity": \(opacity)}}, "duration": "\(duration)"}
                """,
            isMade: { answer in
                let layer = answer["layers"]?.elements.first { $0["id"] == .string(picture) }
                return layer?["at"] == .string(place) && layer?["opacity"] == .number(opacity)
            }, effect: Self.noteLayers)
    }

    private static func noteLayers(_ wanted: inout Expectation, _ answer: JSON) {
        wanted.layers = (answer["layers"]?.elements ?? []).map { ($0["id"]?.string ?? "", $0["at"] ?? .null) }
    }

    private mutating func saturate() -> Change {
        let value = [0.25, 0.5, 0.75, 1.5].randomElement(using: &dice) ?? 0.5
        return Change(
            method: "PUT", path: "chains/driver",
            body: #"[{"effect": "saturation", "values": {"saturation": \#(value)}}]"#,
            isMade: { $0.elements.first?["values"]?["saturation"] == .number(value) },
            effect: { wanted, _ in wanted.saturation = value })
    }

    /// Makes a change that adds an effect, or removes the effect that was added before.
    private func tint() -> Change {
        guard let id = wanted.tint else {
            return Change(
                method: "POST", path: "chains/road/effects", body: #"{"effect": "sepia"}"#,
                isMade: { $0["effect"] == .string("sepia") }, effect: { $0.tint = $1["id"]?.string })
        }
        return Change(
            method: "DELETE", path: "chains/road/effects/\(id)", body: nil, isMade: { _ in true },
            effect: { wanted, _ in wanted.tint = nil })
    }

    private mutating func activate() -> Change {
        let name = ["drive", "talk"].randomElement(using: &dice) ?? "drive"
        let way =
            [#""cut""#, #""fade", "duration": "2s""#, #""slide", "duration": "1s""#].randomElement(using: &dice) ?? ""
        return Change(
            method: "POST", path: "scenes/\(name)/activate", body: #"{"transition": \#(way)}"#,
            isMade: { $0["layers"]?.elements.first?["id"] == .string(name == "drive" ? "road" : "driver") },
            effect: { wanted, answer in
                wanted.scene = name
                Self.noteLayers(&wanted, answer)
            })
    }

    private func swap() -> Change {
        let second = wanted.layers.last?.id
        return Change(
            method: "POST", path: "swap", body: #"{"duration": "1s"}"#,
            isMade: { answer in second.map { answer["layers"]?.elements.first?["id"] == .string($0) } ?? true },
            effect: Self.noteLayers)
    }

    private func pause() -> Change {
        let isPaused = !wanted.isPaused
        let word = isPaused ? "paused" : "running"
        return Change(
            method: "PATCH", path: "outputs/\(output)", body: #"{"state": "\#(word)"}"#,
            isMade: { $0["state"] == .string(word) }, effect: { wanted, _ in wanted.isPaused = isPaused })
    }
}

extension JSON {
    fileprivate var elements: [JSON] { if case .array(let elements) = self { elements } else { [] } }
    fileprivate var string: String? { if case .string(let text) = self { text } else { nil } }
}
