import PipCompose
import PipInputs
import PipTestSupport
import PipText
import Testing

@testable import PipRig

@Suite("Signals of CAN buses")
struct CANDatabaseTests {
    /// Two messages of SAE J1939, a body controller's with two pages, and a light's in Motorola's order.
    private static let text = """
        VERSION ""
        NS_ :
        BS_:
        BU_: Engine Body
        BO_ 2364540158 EEC1: 8 Engine
         SG_ EngineSpeed : 24|16@1+ (0.125,0) [0|8031.875] "rpm" Vector__XXX
         SG_ Torque : 16|8@1+ (1,-125) [-125|125] "%" Vector__XXX
        BO_ 2566844926 CCVS: 8 Engine
         SG_ WheelSpeed : 8|16@1+ (0.00390625,0) [0|250.996] "km/h" Vector__XXX
         SG_ Status : 3|2@1+ (1,0) [0|3] "" Vector__XXX
        BO_ 416 Body: 8 Body
         SG_ Page M : 0|8@1+ (1,0) [0|0] "" Vector__XXX
         SG_ Outside m0 : 8|8@1- (0.5,0) [0|0] "\u{b0}C" Vector__XXX
         SG_ Inside m1 : 8|8@1- (0.5,0) [0|0] "\u{b0}C" Vector__XXX
         SG_ Status : 16|4@1+ (1,0) [0|15] "" Vector__XXX
        BO_ 417 Light: 8 Body
         SG_ Angle : 7|12@0- ( 0.1 , 0 ) [0|0] "deg" Vector__XXX
         SG_ Level : 32|32@1- (1,0) [0|0] "lux" Vector__XXX
        BO_ 3221225472 VECTOR__INDEPENDENT_SIG_MSG: 0 Vector__XXX
         SG_ Unused : 0|8@1+ (1,0) [0|0] "" Vector__XXX
        CM_ SG_ 417 Level "brightness: in lux";
        SIG_VALTYPE_ 417 Level : 1;
        """

    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path("car.dbc")
        // Files have one byte for each character, and the ends of lines of another system.
        let bytes = Self.text.replacing("\n", with: "\r\n").unicodeScalars.map { UInt8($0.value) }
        try folder.write(bytes, to: "car.dbc")
    }

    private func values(_ identifier: UInt32, _ bytes: [UInt8]) throws -> [String: Telemetry.Value] {
        try CANDatabase(path: path, names: nil).values([CANMessage(identifier, bytes)])
    }

    @Test("have a scale, an offset, an order of bytes, a sign and a page")
    func values() throws {
        // 1,500 rpm are 12,000 eighths; the torque is 25 %.
        #expect(
            try values(0x8cf0_04fe, [0, 0, 150, 0xe0, 0x2e, 0xff, 0xff, 0xff])
                == ["EngineSpeed": .number(1500), "Torque": .number(25)])
        #expect(try values(0x98fe_f1fe, [0b0001_0000, 0, 100])["WheelSpeed"] == .number(100))
        #expect(try values(0x98fe_f1fe, [0b0001_0000, 0, 100])["CCVS.Status"] == .number(2))
        #expect(
            try values(416, [0, 0xec, 7])
                == ["Page": .number(0), "Outside": .number(-10), "Body.Status": .number(7)])
        #expect(
            try values(416, [1, 42, 7]) == ["Page": .number(1), "Inside": .number(21), "Body.Status": .number(7)])
        // Twelve bits from the highest of the first byte: 0xff6 is -10.
        let light = try values(
            417, [0xff, 0x60, 0, 0] + (0..<4).map { UInt8(Float(2.5).bitPattern >> ($0 * 8) & 255) })
        #expect(light == ["Angle": .number(-1), "Level": .number(2.5)])
    }

    @Test("beyond their range, as for \"not available\", and those of short and unknown messages have no value")
    func missing() throws {
        #expect(try values(0x8cf0_04fe, [UInt8](repeating: 0xff, count: 8)) == [:])
        #expect(try values(417, [0xff]) == [:])
        #expect(try values(417, []) == [:])
        #expect(try values(99, [1, 2, 3]) == [:])
    }

    @Test("of later messages take the place of earlier ones, page by page")
    func order() throws {
        let database = try CANDatabase(path: path, names: ["Inside", "Outside"])
        #expect(database.filters == [Self.body])
        // The page is read, although it is not among the signals.
        #expect(
            database.values([
                CANMessage(416, [0, 20, 0]), CANMessage(416, [1, 42, 0]), CANMessage(416, [0, 30, 0]),
            ]) == ["Outside": .number(15), "Inside": .number(21)])
    }

    @Test("are a source on the command line, with the messages of the chosen signals")
    func argument() throws {
        let source = try TelemetryArgument("can:can0,dbc=\(path),signals=EngineSpeed+Angle,name=truck")
        #expect(source.request == .messages(CANRequest(interface: "can0", filters: [Self.light, Self.engine])))
        var decoder = TelemetryDecoder(source)
        let reading = InputReading.messages([CANMessage(0x8cf0_04fe, [0, 0, 150, 0xe0, 0x2e, 0, 0, 0])])
        #expect(decoder.values(of: reading) == ["truck.EngineSpeed": .number(1500)])
        let all = try TelemetryArgument("can:can0,dbc=\(path)")
        let filters = [Self.body, Self.light, Self.engine, .init(0x80fe_f1fe, mask: 0xc3ff_ff00)]
        #expect(all.request == .messages(CANRequest(interface: "can0", filters: filters)))
    }

    /// The choices of whole messages, and of the messages of a group from any sender.
    private static let (body, light, engine) = (
        CANRequest.Filter(416, mask: 0xc000_07ff), CANRequest.Filter(417, mask: 0xc000_07ff),
        CANRequest.Filter(0x80f0_04fe, mask: 0xc3ff_ff00)
    )

    @Test("of a group of SAE J1939 come from any sender, at any priority and to any receiver")
    func groups() throws {
        let speed: [UInt8] = [0, 0, 150, 0xe0, 0x2e, 0xff, 0xff, 0xff]
        for identifier: UInt32 in [0x8cf0_0400, 0x8cf0_0401, 0x98f0_04ff] {
            #expect(try values(identifier, speed)["EngineSpeed"] == .number(1500), "\(identifier)")
        }
        for identifier: UInt32 in [0x8cf0_0500, 0x0cf0_0400, 0x4fe, 0x8df0_0400] {
            #expect(try values(identifier, speed) == [:], "\(identifier)")
        }
        let database = CANDatabase("BO_ 2565865214 TSC1: 8 X\nSG_ Torque : 0|8@1+ (1,0) [0|0] \"\" X\n")
        #expect(database.filters == [.init(0x80ef_00fe, mask: 0xc3ff_0000)])
        #expect(database.values([CANMessage(0x98ef_0503, [7])]) == ["Torque": .number(7)])
    }

    @Test("behind another message, within quotation marks, or on pages of pages are not mistaken for others")
    func apart() {
        let database = CANDatabase(
            """
            BO_ 16 A: 8 X
             SG_ One : 0|8@1+ (1,0) [0|0] "" X
            BO_ 17 B-2: 8 X
             SG_ Two : 0|8@1+ (1,0) [0|0] "" X
            CM_ BO_ 16 "a comment
            BO_ 18 C: 8 X
             SG_ Three : 0|8@1+ (1,0) [0|0] X
            ends";
            BO_ 19 D: 8 X
             SG_ Service M : 0|8@1+ (1,0) [0|0] "" X
             SG_ Kind m1M : 8|8@1+ (1,0) [0|0] "" X
             SG_ Four m1 : 16|8@1+ (1,0) [0|0] "" X
             SG_ Five : 24|8@1+ (1,0) [0|0] "" X
            """)
        #expect(database.filters.map(\.identifier) == [16, 19])
        #expect(database.values([CANMessage(16, [5])]) == ["One": .number(5)])
        #expect(
            database.values([CANMessage(19, [1, 13, 87, 9])]) == ["Service": .number(1), "Five": .number(9)])
    }

    @Test(
        "are refused with what to write",
        arguments: [
            ("can:can0", "needs the file of its signals"), ("can,dbc=DBC", "names no bus"),
            ("can:a/b,dbc=DBC", "names no bus"), ("can:can0,dbc=/nowhere.dbc", "No such file"),
            ("can:can0,dbc=EMPTY", "has no signals"), ("can:can0,dbc=MANY", "has 257 signals: name those to read"),
            ("can:can0,dbc=DBC,signals=EngineSped", "no signal EngineSped; did you mean EngineSpeed?"),
            ("gpsd,dbc=DBC", "dbc is for a bus"), ("can:can0,dbc=DBC,signals=+", "signals names none"),
            ("can:can0,dbc=DBC,baud=9600", "baud is for a serial port"),
        ])
    func refused(_ text: String, _ part: String) throws {
        try folder.write(Array("VERSION \"\"\n".utf8), to: "empty.dbc")
        let many = (0..<257).map { "SG_ S\($0) : 0|8@1+ (1,0) [0|0] \"\" X" }.joined(separator: "\n")
        try folder.write(Array("BO_ 1 All: 8 X\n\(many)\n".utf8), to: "many.dbc")
        let text = [("DBC", path), ("EMPTY", folder.path("empty.dbc")), ("MANY", folder.path("many.dbc"))]
            .reduce(text) { $0.replacing($1.0, with: $1.1) }
        let error = #expect(throws: UsageError.self) { try TelemetryArgument(text) }
        #expect(error?.description.contains(part) == true, "\(error?.description ?? "")")
    }

    @Test("that are damaged crash nothing, and have values of their own message only")
    func damaged() {
        var random = Dice(7)
        let bytes = Array(Self.text.utf8)
        for _ in 0..<200 {
            var copy = bytes
            for _ in 0..<Int.random(in: 1...20, using: &random) {
                copy[Int.random(in: copy.indices, using: &random)] = UInt8.random(in: 0...127, using: &random)
            }
            let database = CANDatabase(String(decoding: copy, as: UTF8.self))
            for (identifier, signals) in database.signals {
                let data = (0..<Int.random(in: 0...64, using: &random)).map { _ in
                    UInt8.random(in: 0...255, using: &random)
                }
                let values = database.values([CANMessage(identifier, data)])
                #expect(Set(values.keys).isSubset(of: signals.map(\.name)))
            }
        }
    }
}
