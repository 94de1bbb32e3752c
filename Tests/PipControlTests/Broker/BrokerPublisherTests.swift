#if Control
import PipCompose
import PipRig
import Testing

@testable import PipControl

@Suite("Messages to a broker")
struct BrokerPublisherTests {
    private static let topics = BrokerTopics(name: "car")

    private func state(_ camera: String = "streaming", of name: String = "road", fps: Double = 30) -> BrokerState {
        BrokerState(
            .object([
                "cameras": JSON.array([.object(["id": name, "state": camera])]), "output": JSON.object(["fps": fps]),
            ]))
    }

    @Test("a state is published once, and again when it has changed; a steady rate is no change")
    func changes() throws {
        var publisher = BrokerPublisher(try BrokerArgument("mqtt://host?name=car"), program: "test 1")
        func topics(_ state: BrokerState) -> [String] { publisher.messages(for: state).map(\.topic) }
        let (both, stateOnly) = ([Self.topics.discovery, Self.topics.state], [Self.topics.state])
        #expect(topics(state()) == both)
        #expect(topics(state(fps: 29.97)) == [])
        #expect(topics(state("lost")) == stateOnly)
        #expect(topics(state("lost", of: "rear")) == both)
        publisher.forget()
        #expect(topics(state("lost", of: "rear")) == both)
    }

    @Test("a camera that is gone is removed from Home Assistant, also after a new connection")
    func removed() throws {
        var publisher = BrokerPublisher(try BrokerArgument("mqtt://host?name=car"), program: "test 1")
        _ = publisher.messages(for: state())
        for _ in 0..<2 {
            let messages = publisher.messages(for: state(of: "rear"))
            let document = try #require(messages.first.flatMap { JSON(reading: $0.payload) })
            #expect(document["cmps"]?["camera_road"] == .object(["p": "binary_sensor"]))
            #expect(document["cmps"]?["camera_rear"]?["unique_id"] == .string("car_camera_rear"))
            #expect(messages.allSatisfy { $0.isRetained })
            publisher.forget()
        }
    }

    @Test("a camera of an earlier run is removed from Home Assistant once")
    func learned() throws {
        let argument = try BrokerArgument("mqtt://host?name=car")
        func make() -> BrokerPublisher { BrokerPublisher(argument, program: "a 1") }
        var (earlier, publisher, next) = (make(), make(), make())
        let kept = try #require(earlier.messages(for: state()).first.flatMap { JSON(reading: $0.payload) })
        _ = publisher.messages(for: state(of: "rear"))
        publisher.learn(kept)
        let messages = publisher.messages(for: state(of: "rear"))
        let document = try #require(messages.first.flatMap { JSON(reading: $0.payload) })
        #expect(document["cmps"]?["camera_road"] == .object(["p": "binary_sensor"]))
        publisher.learn(document)
        #expect(publisher.messages(for: state(of: "rear")).isEmpty)
        next.learn(document)
        let last = next.messages(for: state(of: "rear")).first.flatMap { JSON(reading: $0.payload) }
        #expect(last?["cmps"]?["camera_road"] == nil)
    }

    @Test("without discovery, no document is published")
    func withoutDiscovery() throws {
        let argument = try BrokerArgument("mqtt://host?name=car&discovery=off")
        var publisher = BrokerPublisher(argument, program: "test 1")
        #expect(publisher.messages(for: state()).map(\.topic) == [Self.topics.state])
    }

    private func message(_ topic: String, _ payload: [UInt8], isRetained: Bool = false) -> ReceivedMessage {
        ReceivedMessage(topic: topic, payload: payload, isRetained: isRetained)
    }

    @Test("commands are moments, scenes and the birth of Home Assistant; other messages are none")
    func commands() throws {
        let topics = Self.topics
        #expect(try BrokerCommand(message("car/set/moment", Array("brake".utf8)), topics) == .mark("brake"))
        #expect(try BrokerCommand(message("car/set/scene", Array("talk".utf8)), topics) == .show(scene: "talk"))
        #expect(try BrokerCommand(message(BrokerTopics.birth, Array("online".utf8)), topics) == .announce)
        #expect(try BrokerCommand(message(BrokerTopics.birth, Array("offline".utf8)), topics) == nil)
        #expect(try BrokerCommand(message("car/state", []), topics) == nil)
    }

    @Test("commands that are too long, no text, or kept by the broker are mistakes")
    func nonsense() {
        let long = [UInt8](repeating: 65, count: 257)
        for bad in [
            message("car/set/moment", long), message("car/set/scene", [0xff]), message("car/set/scene", [65, 10]),
        ] {
            #expect(throws: BrokerCommand.Mistake.self) { try BrokerCommand(bad, Self.topics) }
        }
        #expect(throws: BrokerCommand.Mistake.self) {
            try BrokerCommand(message("car/set/moment", [65], isRetained: true), Self.topics)
        }
    }

    @Test("ten commands a second are taken, and later ones in the next second")
    func rate() {
        var limit = BrokerCommand.Limit()
        let start = Timestamp.zero
        var taken = (0..<12).map { _ in limit.admits(at: start) }
        for later in [999, 1000] { taken.append(limit.admits(at: start.advanced(by: .milliseconds(later)))) }
        #expect(taken.prefix(12).count { $0 } == 10 && taken.suffix(2) == [false, true])
    }

    @Test("the newest sixteen moments wait, then the newest thumbnail")
    func outbox() {
        let outbox = BrokerOutbox()
        for number in 0..<20 { outbox.add(BrokerState.Mark("\(number)", at: .now)) }
        outbox.add(thumbnail: [1])
        outbox.add(thumbnail: [2])
        outbox.add(thumbnail: [UInt8](repeating: 3, count: 300_000))
        var messages: [BrokerMessage] = []
        while let message = outbox.next(Self.topics) { messages.append(message) }
        #expect(messages.count == 17 && messages.last?.payload == [2])
        #expect(JSON(reading: messages[0].payload)?["name"] == .string("4"))
        #expect(!messages[0].isRetained && outbox.lastMoment?.name == "19")
    }

    @Test(
        "a thumbnail has the picture's shape",
        arguments: [(1920, 1080, 320, 180), (640, 480, 320, 240), (64, 32, 64, 32)])
    func thumbnail(_ width: Int, _ height: Int, _ small: Int, _ low: Int) {
        #expect(Broker.thumbnailSize(of: PixelSize(width, height)) == PixelSize(small, low))
    }
}
#endif
