import PipCompose
import PipTestSupport
import Testing

@testable import PipRig

@Suite("Layouts")
struct LayoutArgumentTests {
    private func placement(_ text: String, at index: Int = 0) throws -> Placement {
        try InsetLayout(text).placement(at: index)
    }

    @Test("omitted keys keep their default values")
    func keepsDefaults() throws {
        #expect(try placement("radius=16") == Layout.inset(at: 0))
        #expect(try placement("radius=16", at: 1) == Layout.inset(at: 1))
        #expect(try placement("top-right,width=25%,margin=24") == Layout.inset(at: 0))
    }

    @Test("all nine anchors have names", arguments: Anchor.allCases)
    func readsAnchors(_ anchor: Anchor) throws {
        #expect(try placement(anchor.rawValue).position == .anchor(anchor))
    }

    @Test("a position is in pixels, and sizes are in pixels or percent")
    func readsPlaces() throws {
        let placement = try placement("at=-10:20,width=320,height=12.5%,fit=stretch,crop=1:2:30:40")
        #expect(placement.position == .at(x: -10, y: 20))
        #expect(placement.width == .pixels(320))
        #expect(placement.height == .fraction(0.125))
        #expect(placement.fit == .stretch)
        #expect(placement.crop == PixelRect(x: 1, y: 2, width: 30, height: 40))
    }

    @Test("a height alone keeps the picture's aspect ratio")
    func heightReplacesWidth() throws {
        let placement = try placement("bottom,height=100")
        #expect(placement.width == nil)
        #expect(placement.height == .pixels(100))
    }

    @Test(
        "rotations and mirroring add up",
        arguments: [
            ("rotate=90", 1, false), ("rotate=-90", 3, false), ("rotate=450", 1, false), ("mirror", 0, true),
            ("mirror,rotate=180", 2, true),
        ])
    func readsOrientations(_ text: String, _ turns: Int, _ isMirrored: Bool) throws {
        #expect(try placement(text).orientation == Orientation(quarterTurns: turns, mirrored: isMirrored))
    }

    @Test("a layer's look is parsed")
    func readsLooks() throws {
        let layout = try InsetLayout("opacity=0.8,radius=16,border=2:#ff8000,shadow=8,z=3")
        #expect(layout.look.opacity == 0.8)
        #expect(layout.look.cornerRadius == 16)
        #expect(layout.look.border == LayerLook.Border(width: 2, color: Color(red: 1, green: 128.0 / 255, blue: 0)))
        #expect(layout.look.shadow?.blur == 8)
        #expect(layout.z == 3)
        #expect(try InsetLayout("border=4").look.border?.color == .white)
    }

    @Test("a blend is parsed with its parameters")
    func readsBlends() throws {
        #expect(try InsetLayout("top-left,blend=multiply").blend == .multiply)
        #expect(
            try InsetLayout("blend=chroma-key:color=#00ff00:spill=0.5").blend == .chromaKey(.green, spill: 0.5))
        #expect(try InsetLayout("blend=mask:channel=alpha:inverted=on").blend == .mask(.alpha, inverted: true))
        #expect(try InsetLayout("opacity=1").blend == nil)
    }

    @Test("whole layouts are known by name", arguments: LayoutArgument.wholeLayouts)
    func readsWholeLayouts(_ layout: Layout) throws {
        #expect(try LayoutArgument(layout.rawValue) == .whole(layout))
    }

    @Test("mistakes are named, with the nearest name and the range", arguments: Self.mistakes)
    func refuses(_ text: String, _ reason: String) {
        #expect(mistake { () throws(UsageError) in _ = try LayoutArgument(text) }.contains(reason))
    }

    private static let mistakes = [
        ("top-rigt", "did you mean top-right?"), ("side-by", "did you mean side-by-side?"),
        ("wdth=3", "did you mean width?"),
        ("", "is empty"), ("top-left,bottom", "place is given twice"), ("top-left,at=1:1", "place is given twice"),
        ("width=25%,width=3", "width is given twice"), ("width", "needs a value"), ("width=", "needs a value"),
        ("width=0", "1 to 65536"), ("width=0%", "above 0%"), ("width=101%", "at most 100%"), ("width=x", "pixels"),
        ("top-left=3", "takes no value"), ("mirror=yes", "takes no value"), ("margin=-1", "0 to 10000"),
        ("opacity=2", "0.0 to 1.0"), ("rotate=45", "0, 90, 180 or 270"), ("border=2:whit", "did you mean white?"),
        ("border=x", "border is x, but must be "), ("fit=fil", "did you mean fill?"), ("crop=1:2:3", "crop=X:Y:W:H"),
        ("crop=0:0:0:5", "shows nothing"), ("crop=-1:0:5:5", "crop=X:Y:W:H"), ("at=1", "at=X:Y"),
        ("z=x", "z is x, but must be "),
        ("blend=multipli", "did you mean multiply?"), ("blend=alpha:mix=2", "mix is 2, but must be 0 to 1"),
        ("blend=alpha:mux=1", "did you mean mix?"), ("blend=alpha:mix", "written as name=value"),
        ("opacity=nan", "opacity"), ("shadow=-1", "0.0 to 1000.0"),
    ]

    @Test(
        "policies apply to all pictures or to one",
        arguments: [
            ("hide", nil, AbsencePolicy.hide), ("main:promote", PictureTarget.main, .promote),
            ("inset2:Slate", .inset(1), .slate),
        ])
    func readsPolicies(_ text: String, _ target: PictureTarget?, _ policy: AbsencePolicy) throws {
        let argument = try AbsenceArgument(text)
        #expect(argument.target == target)
        #expect(argument.policy == policy)
    }

    @Test(
        "unknown policies are refused",
        arguments: [
            ("holt", "did you mean hold?"), ("output:hide", "never goes missing"), ("foo:hide", "no picture foo"),
        ])
    func refusesPolicies(_ text: String, _ reason: String) {
        #expect(mistake { () throws(UsageError) in _ = try AbsenceArgument(text) }.contains(reason))
    }
}
