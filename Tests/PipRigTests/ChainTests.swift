import PipCompose
import PipTestSupport
import Testing

@testable import PipRig

@Suite("Chains of effects")
struct ChainTests {
    typealias Item = ChainSyntax.Item
    typealias Value = ChainSyntax.Value

    @Test("chains are split as FFmpeg splits them", arguments: Self.chains)
    func splits(_ text: String, _ items: [Item]) throws {
        #expect(try ChainSyntax(text).items == items)
    }

    private static let chains: [(String, [Item])] = [
        ("mirror", [Item(name: "mirror")]),
        ("a,b", [Item(name: "a"), Item(name: "b")]),
        ("a=1", [Item(name: "a", values: [Value(key: nil, text: "1")])]),
        ("a=1:2", [Item(name: "a", values: [Value(key: nil, text: "1"), Value(key: nil, text: "2")])]),
        (
            "a=x=1:y=2,b",
            [Item(name: "a", values: [Value(key: "x", text: "1"), Value(key: "y", text: "2")]), Item(name: "b")]
        ),
        ("a=1:y=2", [Item(name: "a", values: [Value(key: nil, text: "1"), Value(key: "y", text: "2")])]),
        (" a = 1 , b ", [Item(name: "a", values: [Value(key: nil, text: "1")]), Item(name: "b")]),
        (#"a='x,y:z=1'"#, [Item(name: "a", values: [Value(key: nil, text: "x,y:z=1")])]),
        (#"a=x\,y"#, [Item(name: "a", values: [Value(key: nil, text: "x,y")])]),
        (#"a='it'\''s'"#, [Item(name: "a", values: [Value(key: nil, text: "it's")])]),
        (#"a='\'"#, [Item(name: "a", values: [Value(key: nil, text: #"\"#)])]),
        (#"a=' x '"#, [Item(name: "a", values: [Value(key: nil, text: " x ")])]),
        ("a=n=x=y", [Item(name: "a", values: [Value(key: "n", text: "x=y")])]),
    ]

    @Test(
        "invalid chains are refused",
        arguments: [
            ("", "missing"), (",", "missing"), ("a,", "missing"), ("a,,b", "missing"), ("a=", "a value is missing"),
            ("a=1:", "a value is missing"), ("a:1", "after ="), ("a='x", "not closed"), (#"a=\"#, "nothing follows"),
            ("a==1", "name=value"), ("a=x=", "name=value"),
        ])
    func refuses(_ text: String, _ reason: String) {
        #expect(mistake { () throws(UsageError) in _ = try ChainSyntax(text) }.contains(reason))
    }
}

@Suite("Effects of the command line")
struct EffectArgumentTests {
    @Test(
        "values are set by position and by name",
        arguments: [
            ("main:vignette=0.4", "vignette=strength=0.4:start=0.3:end=0.75:x=0.5:y=0.5:color=#000000"),
            ("main:vignette=0.4:0.1", "vignette=strength=0.4:start=0.1:end=0.75:x=0.5:y=0.5:color=#000000"),
            ("inset:vignette=end=1.5:strength=1", "vignette=strength=1:start=0.3:end=1.5:x=0.5:y=0.5:color=#000000"),
            ("output:gaussian-blur=radius=4", "gaussian-blur=radius=4"), ("inset3:mirror", "mirror"),
        ])
    func setsValues(_ text: String, _ label: String) throws {
        #expect(try EffectArgument(text).effects.map(\.label) == [label])
    }

    @Test(
        "pictures are named main, inset, inset2 and output",
        arguments: [
            ("main", PictureTarget.main), ("inset", .inset(0)), ("inset1", .inset(0)), ("inset2", .inset(1)),
            ("Output", .output),
        ])
    func readsTargets(_ text: String, _ target: PictureTarget) throws {
        #expect(try PictureTarget(text) == target)
    }

    @Test("a chain keeps its order")
    func keepsOrder() throws {
        let argument = try EffectArgument("main:mirror,sobel,brightness=0.1")
        #expect(argument.effects.map(\.label) == ["mirror", "sobel=strength=1", "brightness=brightness=0.1"])
    }

    @Test("an effect is marked as essential, with and without values")
    func marks() throws {
        let argument = try EffectArgument(
            "main:mirror=essential=on,sobel=0.5:essential=no,pixellate=essential=yes:size=0.1,hue=9")
        #expect(argument.chain.map(\.isEssential) == [true, false, true, false])
        #expect(
            argument.effects.map(\.label) == ["mirror", "sobel=strength=0.5", "pixellate=size=0.1", "hue=hue=9"])
        #expect(!EffectCatalogue.entries.flatMap(\.parameters).contains { $0.name == EffectArgument.mark })
    }

    @Test(
        "a chain without effect is reported with the reason",
        arguments: [
            ("main:brightness=0", "its effects have their neutral values (see `pip-compose effects brightness`)"),
            ("inset:sepia=0,crop", "its effects have their neutral values (see `pip-compose effects sepia`)"),
            (
                "main:frosted-glass=0:1:0",
                "its effects have their neutral values (see `pip-compose effects frosted-glass`)"
            ),
            ("main:mirror,mirror", "its effects undo each other"),
            ("output:mirror,brightness=0.25,brightness=-0.25,mirror", "its effects undo each other"),
        ])
    func tellsIdle(_ text: String, _ reason: String) throws {
        #expect(try EffectArgument(text).note == "--effect \(text): changes nothing: \(reason)")
    }

    @Test(
        "a chain with an effect is not reported",
        arguments: [
            "main:brightness", "main:sepia=0,mirror", "main:mirror,brightness=0.2,mirror", "main:gamma=2,gamma=0.5",
        ])
    func tellsNothing(_ text: String) throws { #expect(try EffectArgument(text).note == nil) }

    @Test("mistakes are named, with the nearest name and the range", arguments: Self.mistakes)
    func refuses(_ text: String, _ reason: String) {
        #expect(mistake { () throws(UsageError) in _ = try EffectArgument(text) }.contains(reason))
    }

    private static let mistakes = [
        ("main:vignete", "did you mean vignette?"), ("main:zzz", "the nearest of \(EffectCatalogue.names.count) are "),
        ("main:vignette=strenght=1", "did you mean strength?"),
        ("main:vignette=2", "strength is 2, but must be 0 to 1"),
        ("main:vignette=end=0", "must be 0.01 to 2"), ("main:vignette=much", "strength is much, but must be 0 to 1"),
        ("main:vignette=nan", "strength is nan, but must be 0 to 1"),
        ("main:vignette=0.1:0.2:0.3:0.4:0.5:black:1", "one too many"),
        ("main:vignette=start=0.1:0.2", "needs a name"), ("main:vignette=0.1:strength=0.2", "given twice"),
        ("main:mirror=1", "has no parameters"), ("main:mirror=x=1", "has no parameters"),
        ("vignette=0.4", "write main:vignette=0.4"), ("vignette=0.4:start=0.1", "write main:vignette=0.4"),
        ("mainn:mirror", "did you mean main?"), ("inset0:mirror", "there is no picture inset0"),
        ("mirror", "main:mirror"),
        ("main:mirror=essential=maybe", "mirror: essential is maybe, but must be on or off"),
        ("main:sobel=essential=on:essential=off", "sobel: essential is given twice"),
        ("main:mirror=essential", "has no parameters, so essential cannot be set"),
        ("nonsense", "does not say which picture"),
    ]

    @Test("effects with a file require it, and say which file cannot be read", arguments: ["lookup", "cube"])
    func fileIsNeeded(_ name: String) {
        #expect(
            mistake { () throws(UsageError) in _ = try EffectArgument.effects(name) }
                == "\(name) needs a file: \(name)=file=PATH")
        let missing = mistake { () throws(UsageError) in _ = try EffectArgument.effects("\(name)=/nowhere/look") }
        #expect(missing == "\(name): file: /nowhere/look: cannot read: No such file or directory")
    }
}
