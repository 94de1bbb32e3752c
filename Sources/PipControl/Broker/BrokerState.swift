#if Control
internal import PipCompose
internal import PipRig

/// The state of a composition as the topic `state` has it.
struct BrokerState: Sendable, Equatable {
    /// A moment that was marked.
    struct Mark: Sendable, Equatable {
        let name: String
        let reason: String?
        let time: WallTime

        init(_ name: String, reason: String? = nil, at time: WallTime) {
            (self.name, self.reason, self.time) = (name, reason, time)
        }

        /// The moment as a JSON object, which is also an event of Home Assistant.
        var json: JSON {
            .object([
                "event_type": BrokerDiscovery.momentType, "name": name, "reason": reason,
                "time": time.dateTime(isUniversal: false),
            ])
        }
    }

    let pressure: String
    /// The frame rate of the composed picture, rounded, so that a steady rate is no change.
    let frameRate: JSON
    let scene: JSON
    /// The names of all scenes.
    let scenes: [String]
    /// The cameras' names with their states, such as `streaming`, in the order of the composition.
    let cameras: [(name: String, state: String)]
    let outputs: JSON
    let lastMoment: Mark?

    /// Takes the state from the panel's state document.
    init(_ document: JSON, lastMoment: Mark? = nil) {
        pressure = document["pressure"]?["level"]?.text ?? ""
        frameRate = Self.rounded(document["output"]?["fps"])
        scene = document["scene"]?["name"] ?? .null
        scenes = document["scenes"]?.elements.compactMap(\.text) ?? []
        cameras = (document["cameras"]?.elements ?? []).map { ($0["id"]?.text ?? "", $0["state"]?.text ?? "") }
        outputs = .array(
            (document["outputs"]?.elements ?? []).map { output in
                .object(["to": output["to"], "state": output["state"], "error": output["error"]])
            })
        self.lastMoment = lastMoment
    }

    /// The state as a JSON object.
    var json: JSON {
        .object([
            "pressure": pressure, "fps": frameRate, "scene": scene,
            "cameras": JSON.object(cameras.map { JSON.Member($0.name, $0.state) }), "outputs": outputs,
            "moment": lastMoment?.json,
        ])
    }

    static func == (left: BrokerState, right: BrokerState) -> Bool { left.json == right.json }

    /// Rounds a rate to whole frames a second, and a rate below 10 to tenths.
    private static func rounded(_ rate: JSON?) -> JSON {
        switch rate {
        case .number(let rate)? where rate >= 10 && rate < 1e6: .integer(Int(rate.rounded()))
        case .number(let rate)?: .number(rate, decimals: 1)
        default: rate ?? .null
        }
    }
}

extension JSON {
    /// The text of a string; nil for any other value.
    var text: String? { if case .string(let text) = self { text } else { nil } }

    /// The elements of an array; none for any other value.
    var elements: [JSON] { if case .array(let elements) = self { elements } else { [] } }
}
#endif
