import Foundation
import PipCompose
import PipFrames
import PipPatterns
import PipTestSupport
import SystemPackage
import Testing

@testable import PipDisplay

extension CameraLab {
    /// A virtual screen of the kernel: vkms, 1024 columns and 768 rows.
    @Suite("Whole screens")
    struct ScreenTests {
        private static let area = PixelSize(1024, 768)

        @Test("show the picture in its shape, in the middle, and each of its colours; then the screen is given back")
        func picture() async throws {
            try await withModule("vkms") {
                let frame = QuarterPicture.frame(PixelSize(64, 36))
                let source = AppSource("quarters", layout: frame.layout, frameRate: FrameRate(30))
                let output = source --> Screen()
                let session = try await Session(source, options: .ungoverned)
                async let running: Void = session.run()
                while output.statistics.written < 5 {
                    try source.push(frame)
                    // The screen refreshes in virtual time only while all threads wait.
                    try await Task.sleep(for: .milliseconds(33))
                }
                let shown = try ScreenReader.read()
                #expect(shown.size == Self.area)
                // The picture is 1024 by 576, with black above and below.
                #expect([0, 95, 672, 767].map { shown[512, $0] } == [0, 0, 0, 0])
                let middles = [(256, 240), (768, 240), (256, 528), (768, 528)].map { shown[$0.0, $0.1] }
                #expect(middles == QuarterPicture.colours)
                session.stop()
                try await running
                #expect(output.state == .finished)
                #expect(throws: (any Error).self) { try ScreenReader.read() }
            }
        }

        @Test("row 74: one that is unplugged is told once, and shows the picture again when it is back")
        func unplugged() async throws {
            try await withModule("vkms") {
                let frame = QuarterPicture.frame(PixelSize(64, 36))
                let source = AppSource("quarters", layout: frame.layout, frameRate: FrameRate(30))
                let output = source --> Screen()
                let session = try await Session(source, options: .ungoverned)
                let warnings = Task {
                    await session.events.reduce(into: [String]()) { warnings, event in
                        if case .sinkWarning(_, let text) = event { warnings.append(text) }
                    }
                }
                async let running: Void = session.run()
                /// Pushes frames until the output satisfies a condition, for twenty seconds at most.
                func push(until isTrue: (OutputStatistics) -> Bool) async throws {
                    for _ in 0..<600 where !isTrue(output.statistics) {
                        try source.push(frame)
                        try await Task.sleep(for: .milliseconds(33))
                    }
                    try #require(isTrue(output.statistics))
                }
                try await push { $0.written > 5 }
                try Self.plug("off")
                try await push { $0.error != nil }
                #expect(output.state == .running)
                let left = output.statistics.written
                try await push { $0.drops[.disabled] > 30 }
                #expect(output.statistics.written == left)
                try Self.plug("detect")
                try await push { $0.written > left + 5 }
                #expect(output.statistics.error == nil)
                #expect(try ScreenReader.read()[256, 240] == QuarterPicture.colours[0])
                session.stop()
                try await running
                let told = await warnings.value
                #expect(told.count == 2 && told.last == "the picture is shown again", "\(told)")
                #expect(told.first?.contains("Virtual-1: the screen was unplugged") == true)
            }
        }

        /// Simulates an unplugged cable, or lets the kernel detect the screen.
        private static func plug(_ state: String) throws {
            try Data(state.utf8).write(to: URL(filePath: "/sys/class/drm/card0-Virtual-1/status"))
        }

        @Test("that another program has are refused, with what to do")
        func held() async throws {
            try await withModule("vkms") {
                let path = try #require(ScreenDirectory().devices.first)
                let other = try ScreenSurface(ScreenName(path))
                let error = #expect(throws: DisplayError.self) { _ = try ScreenSurface(ScreenName("")) }
                #expect(error?.reason.hasPrefix("\(path) is held by another program") == true)
                #expect(error?.reason.contains("show a window: instead") == true)
                withExtendedLifetime(other) {}
            }
        }

        @Test("are found by connector, and named where there is none of that name")
        func names() async throws {
            try await withModule("vkms") {
                let connectors = ScreenDirectory().connectors().found
                #expect(connectors.map(\.name).contains("Virtual-1"))
                #expect(connectors.first { $0.name == "Virtual-1" }?.isConnected == true)
                let error = #expect(throws: DisplayError.self) { _ = try ScreenSurface(ScreenName("HDMI-A-1")) }
                #expect(error?.reason.hasPrefix("there is no connector HDMI-A-1; the connectors are Virtual-1") == true)
                let surface = try ScreenSurface(ScreenName("\(connectors[0].device):Virtual-1"))
                #expect(surface.size == Self.area)
            }
        }
    }
}
