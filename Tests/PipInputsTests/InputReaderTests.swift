import PipConcurrency
import PipFrames
import PipTestSupport
import SystemPackage
import Testing

@testable import PipInputs

@Suite("Readers of input devices, in virtual time")
struct InputReaderTests {
    private static let pedal = InputRequest.keys(key("KEY_B", of: "FootSwitch"))

    private static func key(_ name: String, of device: String) -> KeyRequest {
        KeyRequest(device: device, key: KeyCode(name) ?? KeyCode(number: 1), isExclusive: false)
    }

    /// A reader, and what it has told.
    private final class Reading: Sendable {
        private let events: Monitor<[InputEvent]>
        private let reader: InputReader

        init(_ request: InputRequest, _ devices: FakeInputs, _ clock: MonotonicClock) {
            let events = Monitor<[InputEvent]>([], clock: clock)
            self.events = events
            reader = InputReader(request, devices, clock: clock) { event in events.update { $0.append(event) } }
        }

        /// The events since the last call.
        func take() -> [InputEvent] {
            events.update { events in
                defer { events = [] }
                return events
            }
        }
    }

    /// Runs a test with a reader in virtual time.
    private func reading(
        _ request: InputRequest, _ devices: FakeInputs,
        _ body: (Reading, MonotonicClock) async throws -> Void
    ) async throws {
        try await VirtualTime.run { clock, _ in
            let reading = Reading(request, devices, clock)
            try await clock.sleep(for: .milliseconds(1))
            try await body(reading, clock)
        }
    }

    private func missing(_ text: String) -> InputEvent { .missing(InputProblem(text)) }

    @Test("a press is told with its time at once; a repetition, a release and another key are not told")
    func presses() async throws {
        let devices = FakeInputs()
        devices.plug("/dev/input/event3", "PCsensor FootSwitch", ["KEY_A", "KEY_B"])
        try await reading(Self.pedal, devices) { reading, clock in
            let pressed = clock.now
            for value in [1, 2, 2, 0] as [Int32] {
                devices.send(value, of: "KEY_B", to: "/dev/input/event3", at: pressed)
                devices.send(value, of: "KEY_A", to: "/dev/input/event3", at: pressed)
            }
            try await clock.sleep(for: .milliseconds(1))
            #expect(reading.take() == [.reading(.pressed(KeyCode(number: 48)), at: pressed)])
            #expect(!devices.isGrabbed("/dev/input/event3"))
        }
    }

    @Test("a device that is not there, is plugged in, unplugged and plugged in again is told each time, and read")
    func comesAndGoes() async throws {
        let devices = FakeInputs()
        devices.plug("/dev/input/event0", "Power Button", ["KEY_POWER"])
        try await reading(Self.pedal, devices) { reading, clock in
            for _ in 0..<2 {
                try await clock.sleep(for: .seconds(5))
                #expect(
                    reading.take() == [missing("no input device is named FootSwitch; there are Power Button")])
                devices.plug("/dev/input/event4", "FootSwitch", ["KEY_B"])
                try await clock.sleep(for: .seconds(1.1))
                #expect(reading.take() == [.back])
                devices.send(1, of: "KEY_B", to: "/dev/input/event4", at: .zero)
                try await clock.sleep(for: .seconds(5))
                #expect(reading.take() == [.reading(.pressed(KeyCode(number: 48)), at: .zero)])
                devices.unplug("/dev/input/event4")
            }
        }
    }

    @Test(
        "row 81: a device that cannot be read is told with advice",
        arguments: [
            ("/dev/input/event9", "KEY_B", "/dev/input/event9: there is no such input device"),
            ("/dev/input/event0", "KEY_F13", "/dev/input/event0 (Power Button) has no KEY_F13"),
            ("power", "KEY_F13", "/dev/input/event0 (Power Button) has no KEY_F13"),
            ("/dev/input/event901", "KEY_B", "the udev rule"), ("locked", "KEY_B", "the udev rule"),
        ])
    func advice(_ device: String, _ key: String, _ text: String) async throws {
        let devices = FakeInputs()
        devices.plug("/dev/input/event0", "Power Button", ["KEY_POWER"])
        devices.plug("/dev/input/event901", "Locked", ["KEY_B"], refusal: .permissionDenied)
        try await reading(.keys(Self.key(key, of: device)), devices) { reading, clock in
            try await clock.sleep(for: .seconds(10))
            let told = reading.take()
            guard case .missing(let problem)? = told.first, told.count == 1 else {
                Issue.record("\(told)")
                return
            }
            let rule =
                "/dev/input/event901: only root may read the input device; this udev rule gives it to the group input"
            #expect(text == "the udev rule" ? problem.description.hasPrefix(rule) : problem.description == text)
        }
    }

    @Test("an event with a time in the future is told with the present time")
    func future() async throws {
        let devices = FakeInputs()
        devices.plug("/dev/input/event3", "FootSwitch", ["KEY_B"])
        try await reading(Self.pedal, devices) { reading, clock in
            let pressed = clock.now
            devices.send(1, of: "KEY_B", to: "/dev/input/event3", at: Timestamp(nanoseconds: .max))
            try await clock.sleep(for: .milliseconds(1))
            #expect(reading.take() == [.reading(.pressed(KeyCode(number: 48)), at: pressed)])
        }
    }

    @Test("all devices of one name are read, and a key that none has is told until one with it is there")
    func several() async throws {
        let devices = FakeInputs()
        devices.plug("/dev/input/event3", "Receiver", ["KEY_A"])
        let both = try #require(
            InputRequest.keys(Self.key("KEY_A", of: "Receiver")).merged(
                with: .keys(Self.key("KEY_PLAYPAUSE", of: "Receiver"))))
        try await reading(both, devices) { reading, clock in
            #expect(reading.take() == [missing("Receiver has no KEY_PLAYPAUSE")])
            devices.plug("/dev/input/event4", "Receiver", ["KEY_A", "KEY_PLAYPAUSE"])
            try await clock.sleep(for: .seconds(2.1))
            #expect(reading.take() == [.back])
            devices.send(1, of: "KEY_PLAYPAUSE", to: "/dev/input/event4", at: .zero)
            devices.send(1, of: "KEY_A", to: "/dev/input/event3", at: .zero)
            try await clock.sleep(for: .milliseconds(20))
            #expect(Set(reading.take()).count == 2)
        }
    }

    @Test("ten thousand events of a device are all taken from the kernel's queue")
    func flood() async throws {
        let devices = FakeInputs()
        devices.plug("/dev/input/event3", "FootSwitch", ["KEY_B"])
        try await reading(Self.pedal, devices) { reading, clock in
            for _ in 0..<1000 {
                for _ in 0..<10 { devices.send(1, of: "KEY_B", to: "/dev/input/event3", at: clock.now) }
                try await clock.sleep(for: .milliseconds(10))
            }
            #expect(reading.take().count == 10_000)
            #expect(!devices.isPending(in: "/dev/input/event3"))
        }
    }

    @Test("a line's edges are told with their time and the line's new state")
    func edges() async throws {
        let devices = FakeInputs()
        devices.add(chip: "/dev/gpiochip4", label: "pinctrl-rp1", lines: 54)
        for name in ["gpiochip4", "/dev/gpiochip4", "pinctrl-rp1"] {
            try await reading(.line(LineRequest(chip: name, number: 17)), devices) { reading, clock in
                let time = clock.now
                devices.setLine(active: true, of: "/dev/gpiochip4", at: time)
                devices.setLine(active: false, of: "/dev/gpiochip4", at: time)
                // The reader may take the first change alone, and then pauses.
                try await clock.sleep(for: .milliseconds(20))
                #expect(
                    reading.take() == [
                        .reading(.edge(isActive: true), at: time), .reading(.edge(isActive: false), at: time),
                    ])
            }
        }
    }

    @Test(
        "row 81: a line that cannot be read is told once, and read as soon as it can be",
        arguments: [
            ("gpiochip7", 17, nil, "no GPIO chip is named gpiochip7; there are gpiochip0 (pinctrl)"),
            ("/dev/gpiochip7", 17, nil, "/dev/gpiochip7: there is no such GPIO chip"),
            ("gpiochip0", 54, nil, "/dev/gpiochip0 has 54 lines, and the first one is 0: there is no 54"),
            ("gpiochip0", 17, .resourceBusy, "/dev/gpiochip0, line 17: in use by button"),
            ("gpiochip0", 17, .inappropriateIOCTLForDevice, "/dev/gpiochip0, line 17: needs Linux 5.10 or newer"),
        ] as [(String, UInt32, Errno?, String)])
    func refusals(_ chip: String, _ line: UInt32, _ refusal: Errno?, _ text: String) async throws {
        let devices = FakeInputs()
        devices.add(chip: "/dev/gpiochip0", label: "pinctrl", lines: 54, refusal: refusal)
        try await reading(.line(LineRequest(chip: chip, number: line)), devices) { reading, clock in
            try await clock.sleep(for: .seconds(10))
            #expect(reading.take() == [missing(text)])
            for number in [0, 7] { devices.add(chip: "/dev/gpiochip\(number)", label: "pinctrl", lines: 64) }
            try await clock.sleep(for: .seconds(1.1))
            #expect(reading.take() == [.back])
            try await clock.sleep(for: .seconds(3))
            devices.unplug(chip.contains("7") ? "/dev/gpiochip7" : "/dev/gpiochip0")
            try await clock.sleep(for: .seconds(3))
            #expect(reading.take().count == 1)
        }
    }

    @Test("requests for one device become one, and requests that contradict each other do not")
    func merging() {
        let line = LineRequest(chip: "gpiochip0", number: 17)
        var falling = line
        falling.edges = [.falling]
        var both = line
        both.edges = [.rising, .falling]
        #expect(InputRequest.line(line).merged(with: .line(falling)) == .line(both))
        var low = line
        low.isActiveLow = true
        #expect(InputRequest.line(line).merged(with: .line(low)) == nil)
        #expect(InputRequest.line(line).merged(with: Self.pedal) == nil)
        var grabbing = Self.key("KEY_A", of: "FootSwitch")
        grabbing.isExclusive = true
        guard case .keys(let keys)? = Self.pedal.merged(with: .keys(grabbing)) else {
            Issue.record("not merged")
            return
        }
        #expect(keys.isExclusive && keys.keys.count == 2)
        #expect(Self.pedal.merged(with: .keys(Self.key("KEY_B", of: "other"))) == nil)
    }
}
