import PipCompose
import Testing

@testable import PipRig

@Suite("Triggers as users write them")
struct TriggerArgumentTests {
    @Test(
        "a cause with its options is read",
        arguments: [
            ("lost", TriggerArgument.Cause.lost(picture: nil), TriggerArgument.Action.clip),
            ("lost:main,do=scene:talk", .lost(picture: "main"), .scene("talk")),
            ("pressure:serious,do=split", .pressure(.serious), .split),
            ("sound>-20dB,do=still", .sound(above: -20), .still), ("sound > -20 dB", .sound(above: -20), .clip),
            ("motion:main>0.05, for=1s, every=10s, name=door", .motion(picture: "main", above: 0.05), .clip),
            ("line", .line, .clip), ("line,do=start:a.mp4", .line, .start("a.mp4")),
            ("line,do=stop:rtmp://h/a?b=c", .line, .stop("rtmp://h/a?b=c")),
        ])
    func reading(_ text: String, _ cause: TriggerArgument.Cause, _ action: TriggerArgument.Action) throws {
        let trigger = try TriggerArgument(text)
        #expect(trigger.cause == cause && trigger.actions == [action] && trigger.text == text)
        let isNamed = text.contains("name=")
        #expect(trigger.name == (isNamed ? "door" : String(text.prefix { $0.isLetter })))
        #expect(trigger.hold == (isNamed ? .seconds(1) : .zero) && trigger.distance == .seconds(isNamed ? 10 : 1))
    }

    @Test(
        "a mistake is told with what may stand there",
        arguments: [
            ("", "write lost"), ("lose", "write lost"), ("lost:", "write lost"), ("motion", "write lost"),
            ("motion:main", "motion:main>0.05"), ("motion:main>2", "from 0 to 1"), ("motion:>0.1", "name a picture"),
            ("sound>loud", "from -100 dB to 0 dB"), ("sound>3dB", "from -100 dB to 0 dB"),
            ("pressure:high", "serious"), ("pressure:nominal", "never below nominal"),
            ("lost,do=jump", "clip, split, still, scene:NAME"), ("lost,do=scene:", "scene:NAME"),
            ("lost,do=clip:", "clip, split, still, scene:NAME"), ("lost,header=A: b", "do=post:"),
            ("lost,limit=1s", "do=run:"), ("lost,do=run:", "run:PROGRAM"), ("lost,do=run:sh 'a", "close each quote"),
            ("lost,fore=1s", "did you mean for"), ("lost,for", "do=clip"), ("lost,for=soon", "soon"),
            ("line,for=1s", "cannot hold"),
        ])
    func mistakes(_ text: String, _ reason: String) {
        let error = #expect(throws: UsageError.self) { try TriggerArgument(text) }
        #expect(error?.description.contains(reason) == true, "\(String(describing: error))")
    }

    private func rig(_ trigger: String, _ change: (inout Rig) throws -> Void = { _ in }) throws -> Rig {
        var rig = Rig()
        for source in DefaultSources.patterns {
            rig.pictures.append(RigPicture(rig.pictures.isEmpty ? "main" : "inset", source))
        }
        rig.triggers = [try TriggerArgument(trigger)]
        try change(&rig)
        return rig
    }

    @Test(
        "row 81: a trigger whose picture, sound, scene, output or program is not there is refused",
        arguments: [
            ("lost", "?event=15s+10s"), ("lost,do=split", "?segment=3m"), ("lost,do=still", "--still"),
            ("lost,do=scene:night", "scene"), ("sound>-20dB", "--audio pulse"), ("motion:rear>0.1", "rear"),
            ("lost,do=run:/nonexistent/alert", "no such program"), ("lost,do=start:a.mp4", "output"),
            ("lost,do=start:rtmp://host/app/s3cret", "there is no output rtmp://host/app/…"),
        ])
    func composition(_ trigger: String, _ reason: String) throws {
        let rig = try rig(trigger)
        let error = #expect(throws: RigError.self) {
            try rig.check()
            try rig.checkActions()
        }
        #expect(error?.description.contains(reason) == true, "\(String(describing: error))")
    }

    @Test("the same trigger twice is refused, and two of one cause with different actions are not")
    func twice() throws {
        let same = try rig("lost,do=split") { rig in rig.triggers.append(try TriggerArgument("lost,do=split")) }
        let error = #expect(throws: RigError.self) { try same.check() }
        #expect(error?.description == "the trigger lost,do=split is given twice; leave one of them out")
        try rig("lost,do=split") { rig in rig.triggers.append(try TriggerArgument("lost,do=still")) }.check()
    }

    #if Media
    @Test("a trigger of a configuration is read, and written as it was read")
    func configuration() throws {
        let text = """
            cameras: {road: "pattern:bars", driver: "pattern:scene"}
            outputs: [{to: "clip-%H%M%S.mp4", event: 15s + 10s}]
            triggers:
              - {on: "motion:road>0.05", for: 1s, every: 30s, name: street, do: clip}
              - lost
            """
        let file = try RigFile(text, path: "car.yaml")
        #expect(file.rig.triggers.map(\.name) == ["street", "lost"])
        #expect(file.rig.triggers[0].distance == .seconds(30))
        let again = try RigFile(RigFileWriter.text(of: file), path: "car.yaml")
        #expect(again.rig.triggers.map(\.cause) == file.rig.triggers.map(\.cause))
        #expect(again.rig.triggers.map(\.hold) == file.rig.triggers.map(\.hold))
        #expect(throws: ConfigurationError.self) { try RigFile(text + "\n  - {do: clip}", path: "car.yaml") }
    }
    #endif
}
