import PipEffects
import PipFrames
import Testing

/// An effect with a parameter of each kind but `places`.
struct Probe: Effect {
    enum Mode: String, CaseIterable, Sendable { case first, second }

    static let name = "probe"
    static let summary = "for tests"
    static var parameters: [EffectParameter<Probe>] {
        [
            EffectParameter("number", \.number, in: 0...2, unit: "px", "a number"),
            EffectParameter("integer", \.integer, in: -3...3, "a whole number"),
            EffectParameter("flag", \.flag, "a switch"),
            EffectParameter("color", \.color, "a colour"),
            EffectParameter("mode", \.mode, "a choice"),
            EffectParameter("numbers", \.numbers, count: 2...3, in: -1...1, "a list"),
            EffectParameter("points", \.points, count: 2...4, "a curve"),
            EffectParameter("file", path: { $0.path }, "a file") { path, probe throws(FileProblem) in
                guard path.hasPrefix("/") else { throw FileProblem("\(path): no such file") }
                probe.path = path
            },
        ]
    }

    var number: Float = 1
    var integer = 0
    var flag = false
    var color = Color.black
    var mode = Mode.first
    var numbers: [Float] = [0, 0]
    var points = [ControlPoint(0, 0), ControlPoint(1, 1)]
    var path = ""

    func operation(in context: EffectContext) -> EffectOperation { .none }

    static func parameter(_ name: String) throws -> EffectParameter<Probe> {
        try #require(parameters.first { $0.name == name })
    }
}

@Suite("Parameters of effects")
struct ParameterTests {
    @Test(
        "a value can be written and is shown as it is written",
        arguments: [
            ("number", "1.5", "1.5"), ("number", "2", "2"), ("integer", "-3", "-3"), ("flag", "on", "on"),
            ("flag", "true", "on"), ("flag", "No", "off"), ("color", "#102030", "#102030"), ("color", "red", "#ff0000"),
            ("color", "#10203040", "#10203040"), ("mode", "second", "second"), ("numbers", "0.5 -1", "0.5 -1"),
            ("numbers", "0|1|-0.25", "0 1 -0.25"), ("points", "0/0 0.5/0.75 1/1", "0/0 0.5/0.75 1/1"),
            ("file", "/a,b", "/a,b"),
        ])
    func readsText(_ name: String, _ text: String, _ shown: String) throws {
        var probe = Probe()
        let parameter = try Probe.parameter(name)
        try parameter.set(text: text, in: &probe, of: Probe.name)
        #expect("\(parameter.value(in: probe))" == shown)
        try probe.validate()
    }

    @Test(
        "a refusal names effect, parameter, value and allowed values, and changes nothing",
        arguments: [
            ("number", "3", "probe: number is 3, but must be 0 to 2"),
            ("number", "much", "probe: number is much, but must be 0 to 2"),
            ("number", "inf", "probe: number is inf, but must be 0 to 2"),
            ("integer", "1.5", "probe: integer is 1.5, but must be a whole number from -3 to 3"),
            ("integer", "4", "probe: integer is 4, but must be a whole number from -3 to 3"),
            ("flag", "maybe", "probe: flag is maybe, but must be on or off"),
            (
                "color", "#12",
                "probe: color is #12, but must be a colour name, #rrggbb or #rrggbbaa, with components from 0 to 1"
            ), ("mode", "third", "probe: mode is third, but must be one of first, second"),
            ("numbers", "1", "probe: numbers is 1, but must be 2 to 3 numbers from -1 to 1, separated by spaces"),
            ("numbers", "1 2", "probe: numbers is 1 2, but must be 2 to 3 numbers from -1 to 1, separated by spaces"),
            (
                "points", "0/0 0/1",
                "probe: points is 0/0 0/1, but must be 2 to 4 points from left to right within 0 to 1, such as 0/0 0.5/0.6 1/1"
            ), ("file", "x", "probe: file: x: no such file"),
        ])
    func refuses(_ name: String, _ text: String, _ message: String) throws {
        var probe = Probe()
        let parameter = try Probe.parameter(name)
        let before = parameter.value(in: probe)
        let error = #expect(throws: EffectError.self) {
            try parameter.set(text: text, in: &probe, of: Probe.name)
        }
        #expect(error?.description == message)
        #expect(parameter.value(in: probe) == before)
    }

    @Test("a property that was set out of range is found")
    func validates() throws {
        var probe = Probe()
        try probe.validate()
        probe.color.red = 2
        #expect(throws: EffectError.self) { try probe.validate() }
        probe.color.red = 0
        probe.points = [ControlPoint(0.5, 0), ControlPoint(0.25, 1)]
        #expect(throws: EffectError.self) { try probe.validate() }
        probe.points = [ControlPoint(0, .nan), ControlPoint(0.25, 1)]
        #expect(throws: EffectError.self) { try probe.validate() }
    }

    @Test("a label can be read as a chain: what its syntax uses is quoted")
    func label() {
        var probe = Probe()
        probe.path = "/a:b's"
        #expect(
            probe.label
                == #"probe=number=1:integer=0:flag=off:color=#000000:mode=first:numbers=0 0:points=0/0 1/1:file='/a:b'\''s'"#
        )
    }
}
