#if Media
import PipCompose
import PipTestSupport
import Testing

@testable import PipRig

@Suite("Commas and secrets in triggers")
struct TriggerTextTests {
    @Test(
        "a value in quotation marks, and the quoted words of a program, may have commas",
        arguments: [
            ("lost,do='post:https://host/a,b',header=\"Accept: a, b\"", "https://host/a,b", "Accept: a, b"),
            (
                "lost, do=post:https://host/a%2Cb, header='Accept: it is \"a, b\"'", "https://host/a%2Cb",
                "Accept: it is \"a, b\""
            ),
        ])
    func quoted(_ text: String, _ address: String, _ header: String) throws {
        #expect(try TriggerArgument(text).actions == [.post(try WebhookArgument(address, header: header))])
    }

    @Test(
        "a program's words keep a shell's quotation marks",
        arguments: [
            "lost,do=run:sh -c 'a, b',limit=5s", "lost,do=run:sh -c \"a\\\", b\",limit=5s",
            "lost,do=run:sh -c a\\,\\ b,limit=5s",
            "lost,do='run:sh -c \"a, b\"',limit=5s",
        ])
    func program(_ text: String) throws {
        let trigger = try TriggerArgument(text)
        guard case .run(let program) = try #require(trigger.actions.first) else {
            Issue.record("\(trigger.actions)")
            return
        }
        #expect(program.words.count == 3 && program.words[2].contains(", b") && program.limit == .seconds(5))
    }

    @Test(
        "a comma that ends a value too early is told with the remedy, and no part of the value",
        arguments: [
            "lost,do=post:https://host/a,s3cret", "lost,do=post:https://host/a,s3cret=1",
            "lost,do=post:https://host/,header=Cookie: a=b,s3cret=1", "lost,header='A: s3cret",
            "lost,do=post:ftp://s3cret/",
            "lost,do=Post:https://host/s3cret", "lost,do=post:s3cret",
        ])
    func mistakes(_ text: String) {
        let error = #expect(throws: UsageError.self) { try TriggerArgument(text) }
        let words = error?.description ?? ""
        #expect(!words.contains("s3cret"), "\(words)")
        #expect(!text.contains(",s3cret") || words.contains("stands in quotation marks"), "\(words)")
        #expect(!text.contains("header='") || words.contains("close the quotation mark '"), "\(words)")
    }

    @Test(
        "messages and configurations have a trigger without its secrets",
        arguments: [
            (
                "lost,do=post:https://me:s3cret@host:8443/hooks/s3cret?key=s3cret,every=5s",
                "lost,do=post:https://…@host:8443/…,every=5s"
            ),
            ("lost,do=post:https://host/", "lost,do=post:https://host/"),
            ("lost,do=\"post:https://host?s3cret,s3cret\"", "lost,do=post:https://host/…"),
            ("lost,do=post:https://me:s3/cret@host/", "lost,do=post:https://…"),
            (
                "lost,do=post:https://host/,header='X-Key: s3cret, s3cret',name=a",
                "lost,do=post:https://host/,header=X-Key: …,name=a"
            ),
            (
                "lost,do=post:https://host/${KEY},header=X-Key: ${file:key}",
                "lost,do=post:https://host/${KEY},header=X-Key: ${file:key}"
            ),
            ("line,do=stop:rtmp://host/app/s3cret", "line,do=stop:rtmp://host/app/…"),
            ("motion:main>0.1, for=1s", "motion:main>0.1,for=1s"),
        ])
    func shown(_ text: String, _ shown: String) throws {
        #expect(TriggerArgument.shown(text) == shown)
    }

    @Test("a configuration's values may have commas, and are written without their secrets")
    func configuration() throws {
        let text = """
            cameras: {road: "pattern:bars"}
            outputs: ["null:"]
            triggers:
              - {on: line, do: ["post:https://host/s3cret,1", "run:sh -c 'exit 0, 1'"], header: "Accept: a, b"}
              - {on: line, do: "post:https://host/${PATH},1"}
            """
        let file = try RigFile(text, path: "car.yaml")
        #expect(
            file.rig.triggers[0].actions.first
                == .post(try WebhookArgument("https://host/s3cret,1", header: "Accept: a, b")))
        #expect(file.rig.triggers[0].actions.count == 2)
        let written = RigFileWriter.text(of: file)
        #expect(!written.contains("s3cret") && !written.contains("a, b") && written.contains("${PATH},1"), "\(written)")
    }
}
#endif
