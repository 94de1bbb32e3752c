import PipCompose
import Testing

@testable import PipRig

@Suite("Sources of sound")
struct AudioArgumentTests {
    @Test(
        "a source of sound is recognized by its name, also with commas in ALSA's name",
        arguments: [
            ("hw:1,0", AudioArgument.Kind.alsa("hw:1,0")), ("alsa:hw:1,0", .alsa("hw:1,0")),
            ("hw:CARD=C920,DEV=0,gain=-6dB", .alsa("hw:CARD=C920,DEV=0")), ("C920,gain=3", .alsa("C920")),
            ("pulse", .pulse(nil)), ("pulse:alsa_input.usb,name=mic", .pulse("alsa_input.usb")),
            ("music.wav", .file("music.wav", loops: false)), ("a,b.wav,loop,gain=-20", .file("a,b.wav", loops: true)),
            ("film.mp4", .file("film.mp4", loops: false)), ("-,gain=-6", .file("-", loops: false)),
            (
                "talk.m4a,from=10s,to=1m,loop",
                .file("talk.m4a", loops: true, from: .seconds(10), to: .seconds(60))
            ),
            ("tone", .tone(440)), ("tone:1000", .tone(1000)), ("beep", .beep), ("silence,name=none", .silence),
            ("camera:inset2", .camera(.inset(1))), ("movie:main", .movie(.main)), ("stream:inset", .movie(.inset(0))),
        ] as [(String, AudioArgument.Kind)])
    func kinds(_ text: String, _ kind: AudioArgument.Kind) throws {
        #expect(try AudioArgument(text).kind == kind)
    }

    @Test("a source's options are parsed in any order")
    func options() throws {
        let audio = try AudioArgument("hw:1,0,high-pass=80,gain=-6.5dB,name=driver,balance=-1,mute")
        #expect(audio.name == "driver" && audio.gain == -6.5 && audio.highPass == 80)
        #expect(audio.balance == -1 && audio.isMuted)
        let plain = try AudioArgument("hw:1,0")
        #expect(plain.name == "hw:1,0" && plain.gain == 0 && plain.highPass == nil && !plain.isMuted)
    }

    @Test(
        "invalid microphones are refused with the allowed values",
        arguments: [
            ("", "a source of sound is missing"), ("tone:5", "tone is 5"), ("pulse,gian=3", "did you mean gain"),
            ("pulse,gain=loud", "gain"), ("pulse,gain=1,gain=2", "twice"), ("camera:x", "camera:main"),
            ("movie", "movie:main"),
            ("alsa:", "devices --audio"), ("tone,loop", "loop is for sound"), ("pulse,from=1s", "from is for sound"),
            ("a.mp3,from=5s,to=2s", "later than the start (\"from\"), 5.0 s"), ("a.mp3,loop=maybe", "on or off"),
            ("pulse,mute=maybe", "on or off"),
            ("pulse,high-pass=5", "high-pass is 5"),
        ])
    func mistakes(_ text: String, _ reason: String) {
        let error = #expect(throws: UsageError.self) { try AudioArgument(text) }
        #expect(error?.description.contains(reason) == true, "\(String(describing: error))")
    }
}
