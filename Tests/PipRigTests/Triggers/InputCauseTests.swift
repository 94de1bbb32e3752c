import PipInputs
import PipTestSupport
import Testing

@testable import PipRig

@Suite("Triggers by keys, lines and blows, as users write them")
struct InputCauseTests {
    private static func key(_ device: String, _ name: String, grabs: Bool = false) throws -> InputCause {
        let key = try #require(KeyCode(name))
        return .key(key, KeyRequest(device: device, key: key, isExclusive: grabs))
    }

    private static func line(_ chip: String, _ number: UInt32, _ edge: LineRequest.Edge = .rising) -> LineRequest {
        var request = LineRequest(chip: chip, number: number)
        request.edges = [edge]
        return request
    }

    private func cause(_ text: String) throws -> InputCause? {
        if case .input(let cause) = try TriggerArgument(text).cause { cause } else { nil }
    }

    @Test("a key is read with its device, which may have colons")
    func keys() throws {
        #expect(try cause("key:/dev/input/event3:KEY_F13") == Self.key("/dev/input/event3", "KEY_F13"))
        #expect(try cause("key: PCsensor FootSwitch : 48") == Self.key("PCsensor FootSwitch", "KEY_B"))
        let path = "/dev/input/by-path/pci-0000:00:14.0-usb-0:2:1.0-event-kbd"
        #expect(try cause("key:\(path):f13,grab=on,do=still") == Self.key(path, "KEY_F13", grabs: true))
        #expect(try TriggerArgument("key:pedal:a").name == "key")
    }

    @Test("a line is read with its options")
    func lines() throws {
        #expect(try cause("gpio:gpiochip0:17") == .line(.rising, Self.line("gpiochip0", 17)))
        var request = Self.line("/dev/gpiochip4", 0, .both)
        (request.bias, request.isActiveLow, request.debounce) = (.up, true, .milliseconds(10))
        #expect(
            try cause("gpio:/dev/gpiochip4:0,edge=both,bias=pull-up,active=low,debounce=10ms") == .line(.both, request))
    }

    @Test("a blow is read with its level, its sensor and its axis")
    func blows() throws {
        #expect(try cause("blow>2.5g") == .blow(above: 2.5, nil, sensor: nil))
        #expect(try cause("blow > 3") == .blow(above: 3, nil, sensor: nil))
        #expect(
            try cause("blow:iio:device1>0.6g,axis=-x,for=200ms") == .blow(above: 0.6, .minusX, sensor: "iio:device1"))
    }

    @Test(
        "a mistake is told with what may stand there",
        arguments: [
            ("key", "key:/dev/input/event3:KEY_F13"), ("key:KEY_F13", "must name a device and a key"),
            ("key::KEY_F13", "must name a device"), ("key:pedal:", "must name a device"),
            ("key:pedal:KEY_PLAYPUASE", "there is no key KEY_PLAYPUASE; did you mean KEY_PLAYPAUSE?"),
            ("key:pedal:entr", "did you mean KEY_ENTER?"), ("key:pedal:900", "1 to 767"),
            ("key:pedal:blubberlutsch", "such as KEY_F13"),
            ("key:pedal:a,for=1s", "key is an event, so it cannot hold"), ("key:pedal:a,grab=perhaps", "grab"),
            ("gpio:17", "gpio:gpiochip0:17"), ("gpio:gpiochip0:x", "number of a line"),
            ("gpio:gpiochip0:-1", "number of a line"), ("gpio:gpiochip0:17,edge=up", "rising, falling or both"),
            ("gpio:gpiochip0:17,bias=up", "pull-up, pull-down or off"), ("gpio:gpiochip0:17,active=no", "high or low"),
            ("gpio:gpiochip0:17,debounce=10", "no unit"), ("gpio:gpiochip0:17,for=1s", "gpio is an event"),
            ("gpio:gpiochip0:17,axis=x", "axis is an option of blow, not of gpio"),
            ("lost,edge=rising", "edge is an option of gpio, not of lost"),
            ("blow", "blow>2.5g"), ("blow>", "blow>2.5g"), ("blow>0g", "up to 200 g"), ("blow>nang", "up to 200 g"),
            ("blow>201g", "up to 200 g"), ("blow:>1g", "blow:NAME>0.6g"), ("blow>1g,axis=w", "x, y, z, -x, -y or -z"),
        ])
    func mistakes(_ text: String, _ reason: String) {
        let error = #expect(throws: UsageError.self) { try TriggerArgument(text) }
        #expect(error?.description.contains(reason) == true, "\(String(describing: error))")
    }

    @Test("a blow holds down to four fifths of its level, along its axis or in any direction")
    func hysteresis() throws {
        let any = try #require(try cause("blow>2.5g"))
        #expect(any.reason(for: .acceleration([0, 2, 1.6]), isHolding: false) == "2.6 g")
        #expect(any.reason(for: .acceleration([0, -2, 0]), isHolding: false) == nil)
        #expect(any.reason(for: .acceleration([0, -2, 0]), isHolding: true) == "2.0 g")
        #expect(any.reason(for: .acceleration([1.9, 0, 0]), isHolding: true) == nil)
        let braking = try #require(try cause("blow>0.6g,axis=-x"))
        #expect(braking.reason(for: .acceleration([0.9, 0.9, 0.9]), isHolding: false) == nil)
        #expect(braking.reason(for: .acceleration([-0.7, 0, 0]), isHolding: false) == "0.7 g")
    }

    @Test("a configuration with keys, lines and blows is read, and written as it was read")
    func configuration() throws {
        let text = """
            cameras: {road: "pattern:bars"}
            outputs: ["a.i420"]
            stills: ["still.jpg"]
            triggers:
              - {on: "key:PCsensor FootSwitch:KEY_B", grab: on, do: still}
              - {on: "gpio:pinctrl-rp1:17", edge: falling, bias: pull-up, active: low, debounce: 10ms, do: still}
              - {on: "blow:accel>0.6g", axis: -x, for: 100ms, every: 10s, name: brake, do: still}
            """
        let file = try RigFile(text, path: "car.yaml")
        #expect(file.rig.triggers.map(\.name) == ["key", "gpio", "brake"])
        let again = try RigFile(RigFileWriter.text(of: file), path: "car.yaml")
        #expect(again.rig.triggers.map(\.cause) == file.rig.triggers.map(\.cause))
        #expect(again.rig.triggers.map(\.hold) == file.rig.triggers.map(\.hold))
    }
}
