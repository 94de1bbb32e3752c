#if Media
import Foundation
import PipCompose
import PipConcurrency
import PipTestSupport
import Testing

@testable import PipRig

@Suite("Messages of triggers to web servers", .timeLimit(.minutes(2)))
struct WebhookTests {
    /// The answers of a server to its requests, and what the server and the trigger's log have received.
    private struct Exchange: Sendable {
        var requests: [TestServer.Request] = []
        var reports: [TriggerWatch.Report] = []

        var bodies: [[String: Any]] {
            requests.compactMap { try? JSONSerialization.jsonObject(with: Data($0.body.utf8)) as? [String: Any] }
        }
    }

    private typealias Log = Monitor<Exchange>

    /// Makes a server whose answer to request N is `answer(N)`; nil closes the connection.
    private func server(_ log: Log, _ answer: @escaping @Sendable (Int) async -> Int?) throws -> TestServer {
        try TestServer { request in
            let number = log.update { exchange in
                exchange.requests.append(request)
                return exchange.requests.count
            }
            return await answer(number).map { TestServer.Response(status: $0, headers: ["Location": "http://other/"]) }
        }
    }

    private func worker(
        _ address: String, header: String? = nil, waiting: Int = 16, answer: Duration = .seconds(60), _ log: Log
    ) throws -> TriggerWorker {
        var limits = WebhookArgument.Limits()
        (limits.waiting, limits.answer, limits.attempts) = (waiting, answer, 3)
        limits.backOff = BackOff(from: .milliseconds(1), upTo: .milliseconds(2))
        return try WebhookArgument(address, header: header).worker(for: "gone", limits) { report in
            log.update { $0.reports.append(report) }
        }
    }

    private func firing(_ number: Int) -> TriggerFiring {
        var firing = TriggerFiring(
            "gone", reason: "camera:\(number)", time: WallTime(sinceEpoch: .milliseconds(1_700_000_000_250)),
            number: number)
        firing.done = ["the scene talk is shown"]
        return firing
    }

    @Test("a message tells the trigger, its reason, time and number, and what was done, with the user's header")
    func message() async throws {
        let log = Log(Exchange())
        let server = try server(log) { _ in 204 }
        let folder = try TemporaryFolder()
        try folder.write(Array("t0ken/+\n".utf8), to: "token")
        let token = "${file:\(folder.path("token"))}"
        let worker = try worker(
            "http://127.0.0.1:\(server.port)/hook/\(token)?x=1", header: "Authorization: Bearer \(token)", log)
        worker.add(firing(7))
        #expect(await becomes { log.read { $0.reports.count == 1 } })
        let exchange = log.read { $0 }
        #expect(
            exchange.reports == [
                .done("gone (camera:7): http://127.0.0.1:\(server.port): the server has the message (status 204)")
            ])
        let request = try #require(exchange.requests.first)
        #expect(request.method == "POST" && request.path == "/hook/t0ken%2F%2B")
        #expect(request.headers["authorization"] == "Bearer t0ken/+")
        #expect(request.headers["content-type"] == "application/json")
        let body = try #require(exchange.bodies.first)
        #expect(body["trigger"] as? String == "gone" && body["reason"] as? String == "camera:7")
        #expect(body["number"] as? Int == 7 && body["done"] as? [String] == ["the scene talk is shown"])
        let time = try #require(body["time"] as? String)
        let form = ISO8601DateFormatter()
        form.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
        #expect(form.date(from: time)?.timeIntervalSince1970 == 1_700_000_000.25, "\(time)")
    }

    @Test("a server that fails is asked again, and the log tells each reason once")
    func retries() async throws {
        let log = Log(Exchange())
        let server = try server(log) { number in number == 3 ? 200 : 500 }
        try worker("http://127.0.0.1:\(server.port)/", log).add(firing(1))
        #expect(await becomes { log.read { $0.reports.count == 2 } })
        let words = log.read { $0.reports.map { "\($0)" } }
        #expect(words[0].contains("cannot take it now (status 500); the message is tried again"))
        #expect(words[1].contains("(status 200)"))
        #expect(log.read { $0.requests.count } == 3)
    }

    @Test(
        "a server that refuses, redirects, is gone or never answers is told with its reason",
        arguments: [
            (401, 1, "another key (status 401)"), (404, 1, "no such address"), (302, 1, "write the final address"),
            (413, 1, "does not take it (status 413)"), (503, 3, "given up after 3 attempts"),
            (nil, 3, "the server has closed the connection"),
        ] as [(Int?, Int, String)])
    func failures(_ status: Int?, _ attempts: Int, _ reason: String) async throws {
        let log = Log(Exchange())
        let server = try server(log) { _ in status }
        let worker = try worker("http://127.0.0.1:\(server.port)/secret", log)
        worker.add(firing(1))
        await worker.end(within: .seconds(60))
        let exchange = log.read { $0 }
        #expect(exchange.requests.count == attempts)
        let last = "\(try #require(exchange.reports.last))"
        #expect(last.contains(reason) && last.contains("failed") && !last.contains("secret"), "\(last)")
    }

    @Test("a port at which nothing listens, and a server that does not answer, are told, too")
    func silence() async throws {
        let log = Log(Exchange())
        let closed = try worker("http://127.0.0.1:\(try FreePort.tcp())/", log)
        closed.add(firing(1))
        await closed.end(within: .seconds(60))
        #expect(log.read { $0.reports.last.map { "\($0)" } }?.contains("cannot be reached") == true)
        let server = try server(log) { _ in
            try? await Task.sleep(for: .seconds(100))
            return nil
        }
        let silent = try worker("http://127.0.0.1:\(server.port)/", answer: .milliseconds(50), log)
        silent.add(firing(2))
        await silent.end(within: .seconds(60))
        #expect(log.read { $0.reports.last.map { "\($0)" } }?.contains("does not answer") == true)
    }

    @Test("row 78: a server that hangs keeps few messages waiting, the oldest give way, and the end waits for nothing")
    func hanging() async throws {
        let log = Log(Exchange())
        let (answers, answer) = AsyncStream.makeStream(of: Void.self)
        let server = try server(log) { number in
            if number == 1 { for await _ in answers { break } }
            if number == 4 { try? await Task.sleep(for: .seconds(100)) }
            return 200
        }
        let worker = try worker("http://127.0.0.1:\(server.port)/", waiting: 2, log)
        worker.add(firing(1))
        #expect(await becomes { log.read { $0.requests.count == 1 } })
        for number in 2...1000 { worker.add(firing(number)) }
        answer.yield()
        #expect(await becomes { log.read { $0.requests.count == 3 } })
        #expect(await becomes { log.read { $0.reports.count == 4 } })
        let exchange = log.read { $0 }
        #expect(exchange.bodies.map { $0["number"] as? Int } == [1, 999, 1000])
        #expect(exchange.reports.filter { "\($0)".contains("left out") }.map { "\($0)".contains(": 997") } == [true])
        worker.add(firing(1001))
        worker.add(firing(1002))
        #expect(await becomes { log.read { $0.requests.count == 4 } })
        await worker.end(within: .milliseconds(1))
        #expect(await becomes { log.read { "\($0.reports)".contains("not sent before the end") } })
        #expect(await becomes { log.read { "\($0.reports.last.map { "\($0)" } ?? "")".contains("left out") } })
        worker.add(firing(1003))
        #expect(log.read { $0.requests.count } == 4)
        FaultReport.record(row: 78, figures: "1,000 firings meanwhile, room for 2: told once that 997 were left out")
    }

    @Test(
        "a mistake in an address or a header is told without its secrets",
        arguments: [
            ("ftp://host/", nil, "https://"), ("host/path", nil, "https://"), ("https:///path", nil, "a host"),
            ("https://host/a b", nil, "no spaces"), ("https://host/${PIP_TEST_NOT_THERE}", nil, "PIP_TEST_NOT_THERE"),
            ("https://host/", "Bearer", "Authorization: Bearer"), ("https://host/", ": x", "one line"),
            ("https://host/", "A: b\r\nC: d", "one line"),
            ("https://host/", "A: ${file:/nonexistent}", "cannot be read"),
        ] as [(String, String?, String)])
    func mistakes(_ address: String, _ header: String?, _ reason: String) {
        let error = #expect(throws: UsageError.self) { try WebhookArgument(address, header: header) }
        #expect(error?.description.contains(reason) == true, "\(String(describing: error))")
    }

    @Test("a server's name in messages has neither user nor path")
    func label() throws {
        let webhook = try WebhookArgument("https://user:secret@example.com:8443/key/1?token=2", header: nil)
        #expect(webhook.label == "https://example.com:8443")
        let trigger = try TriggerArgument("lost, do=clip, do=post:https://host/a?b=c&d=e, header=X-Key: 1=2, every=5s")
        #expect(
            trigger.actions == [.clip, .post(try WebhookArgument("https://host/a?b=c&d=e", header: "X-Key: 1=2"))])
    }
}
#endif
