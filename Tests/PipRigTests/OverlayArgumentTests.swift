import PipCompose
import PipText
import Testing

@testable import PipRig

@Suite("Texts, clocks, watermarks, stickers and masks")
struct OverlayArgumentTests {
    @Test("a text without options lies at the bottom left at its own size")
    func plainText() throws {
        let overlay = try OverlayArgument(text: "Cam 1")
        #expect(overlay.content == .text("Cam 1", TextStyle()))
        #expect(overlay.placement.position == .anchor(.bottomLeft))
        #expect(overlay.placement.width == .own)
        #expect(overlay.placement.height == .own)
        #expect(overlay.placement.margin == 24)
    }

    @Test("a text may have commas, backslashes and lines")
    func escapes() throws {
        let overlay = try OverlayArgument(text: #"It's 5\, or 6\n\\o/,top"#)
        #expect(overlay.content == .text("It's 5, or 6\n\\o/", TextStyle(alignment: .center)))
    }

    @Test("a text's style and look are parsed, and its alignment follows its side")
    func style() throws {
        let overlay = try OverlayArgument(
            text:
                "a,at=top-right,margin=8,size=28,font=DejaVu Sans,color=#ff0000,outline=1.5:blue,background=#00000080,"
                + "padding=3,opacity=0.5,z=2")
        var style = TextStyle(font: .named("DejaVu Sans"), size: 28, color: .red, alignment: .right)
        style.outline = TextStyle.Outline(width: 1.5, color: .blue)
        style.background = Color(named: "#00000080")
        style.padding = 3
        #expect(overlay.content == .text("a", style))
        #expect(overlay.placement.position == .anchor(.topRight))
        #expect(overlay.placement.margin == 8)
        #expect(overlay.layout.look.opacity == 0.5)
        #expect(overlay.layout.z == 2)
        let other = try OverlayArgument(text: "a,at=10:20,align=center,font=fonts/a.ttf")
        #expect(other.content == .text("a", TextStyle(font: .file("fonts/a.ttf"), alignment: .center)))
        #expect(other.placement.position == .at(x: 10, y: 20))
    }

    @Test("a clock has a format, a zone, and defaults for both")
    func clocks() throws {
        #expect(
            try OverlayArgument(clock: "%H:%M,zone=+05:30,left").content
                == .clock("%H:%M", .offset(minutes: 330), TextStyle()))
        #expect(
            try OverlayArgument(clock: "top-right,zone=utc").content
                == .clock("%Y-%m-%d %H:%M:%S", .utc, TextStyle(alignment: .right)))
        #expect(try ClockZone(argument: "-10:00") == .offset(minutes: -600))
    }

    @Test("a gauge is a dial, a meter or the way driven, with its own options and those of a layout")
    func gauges() throws {
        let dial = try OverlayArgument(gauge: "dial:speed,to=240,unit=km/h,top-left,size=160,color=red,opacity=0.8")
        #expect(
            dial.content
                == .gauge(
                    Gauge(.dial("speed", in: 0...240, unit: "km/h"), size: 160, color: Color(red: 1, green: 0, blue: 0))
                ))
        #expect(dial.placement.position == .anchor(.topLeft) && dial.layout.look.opacity == 0.8)
        #expect(dial.values == ["speed"])
        let meter = try OverlayArgument(gauge: "meter:-g.y:g.x,to=0.8")
        #expect(meter.content == .gauge(Gauge(.meter(right: "-g.y", up: "g.x", reach: 0.8))))
        #expect(meter.values == ["g.x", "g.y"] && meter.placement.position == .anchor(.bottomRight))
        #expect(try OverlayArgument(gauge: "way").values == ["latitude", "longitude"])
        #expect(try OverlayArgument(gauge: "way:rear").values == ["rear.latitude", "rear.longitude"])
    }

    @Test(
        "a gauge that cannot be drawn is refused with what to write",
        arguments: [
            ("", "a gauge is missing"), ("clock:speed", "write dial:speed,to=240"),
            ("dial:speed", "the end of its scale"),
            ("dial:speed,to=10,from=20", "must be above from"), ("dial,to=3", "is no gauge"),
            ("meter:a,to=1", "is no gauge"), ("meter:a:b,unit=g", "an option of a dial"),
            ("way,to=3", "an option of a dial"),
            ("meter:a:b,to=0", "reach must be"), ("meter:a:b,to=1e-310", "reach must be"),
            ("dial:v,to=1e-322", "a millionth wide"), ("dial:a b,to=1", "names no value"),
            ("dial:v,to=1,size=9", "size"),
            ("dial:v,to=1,speed=3", "speed"),
        ])
    func refusedGauges(_ text: String, _ part: String) {
        let error = #expect(throws: UsageError.self) { try OverlayArgument(gauge: text) }
        #expect(error?.description.contains(part) == true, "\(error?.description ?? "")")
    }

    @Test("a watermark and a sticker have a file, a position and a look")
    func pictures() throws {
        let mark = try OverlayArgument(watermark: "logo.png,at=top-left,width=12%,opacity=0.7")
        #expect(mark.content == .watermark(path: "logo.png"))
        #expect(mark.placement.width == .fraction(0.12))
        #expect(mark.placement.height == nil)
        #expect(mark.layout.look.opacity == 0.7)
        let sticker = try OverlayArgument(sticker: "f/%03d.png,fps=25,loop=false")
        #expect(sticker.content == .sticker(path: "f/%03d.png", frameRate: FrameRate(25), loops: false))
        #expect(sticker.placement.position == .anchor(.center))
        #expect(sticker.placement.width == .own)
    }

    @Test(
        "mistakes are refused with the nearest name",
        arguments: [
            ("a,sise=3", "a,sise=3: there is no sise in a text; did you mean size?"),
            ("a,botom", "a,botom: there is no botom in a text; did you mean bottom?"),
            ("a,size=2", "a,size=2: size is 2, but must be 4 to 512 (a whole number)"),
            ("a,size=20,size=30", "a,size=20,size=30: the size is given twice"),
            ("a,color=whit", "a,color=whit: there is no colour whit; did you mean white? (or #rrggbb)"),
            (
                "a,align=centre",
                "a,align=centre: align is centre, but must be start, left, center or right; did you mean center?"
            ),
            ("a,font=", "a,font=: font needs a value: font=…"),
            ("a,width=10%", "a,width=10%: a text is as large as its letters: write size=32 instead of width"),
            ("", "a text is missing: write it first, as in 'Cam 1,bottom-left,size=28'"),
        ])
    func mistakes(_ text: String, _ message: String) {
        #expect(throws: UsageError(message)) { try OverlayArgument(text: text) }
    }

    @Test(
        "a clock's format consists of date and time fields",
        arguments: [
            ("%Q%!", "%Q is not a conversion of a time"), ("%H:%", "a % at the end"),
            ("%H%é", "%é is not a conversion"),
            ("%-5000H", "%-5000H is too long"), ("%EEc", "%EEc is too long"),
        ])
    func clockMistakes(_ format: String, _ message: String) throws {
        let error = #expect(throws: UsageError.self) { try OverlayArgument(clock: format) }
        #expect(error?.description.contains(message) == true, "\(String(describing: error))")
        for format in ["%H:%M:%S", "%A %e %B", "%-d.%-m.", "100 %% %y", "%Ec %Od %s %z"] {
            _ = try OverlayArgument(clock: format)
        }
    }

    @Test("masks are for the main picture and for insets")
    func masks() throws {
        let mask = try MaskArgument("inset2:a/b.png")
        #expect(mask.target == .inset(1))
        #expect(mask.path == "a/b.png")
        #expect(throws: UsageError.self) { try MaskArgument("a.png") }
        #expect(throws: UsageError.self) { try MaskArgument("inset:") }
        #expect(throws: UsageError.self) { try MaskArgument("output:a.png") }
    }
}
