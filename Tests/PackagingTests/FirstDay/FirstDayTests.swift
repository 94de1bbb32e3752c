#if Control && Media
import Foundation
import PipPanelSupport
import PipTestSupport
import Testing

/// Follows the guide's page about the service, as a user would on the first day with two cameras.
///
/// The program comes from the unpacked package, and the packaged example is its configuration.
@Suite(
    "A first day", .timeLimit(.minutes(10)), .needs("dpkg-deb", "dpkg-shlibdeps", "ffmpeg"),
    .enabled(if: Chromium.program != nil, "needs Chromium: `make test-setup` installs it"),
    .enabled(if: StreamingSite.isInstalled, "needs nginx with its RTMP module: `make test-setup` installs it"))
struct FirstDayTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("from the package to the page: each step shows in the picture or in a file")
    func fromPackageToPage() async throws {
        // The two cameras see red and green.
        let service = try await InstalledService(try await DebianPackage.make(in: folder.url))
        let road = try NetworkCamera(seeing: "red", in: folder.url)
        let driver = try NetworkCamera(seeing: "green", in: folder.url)
        try road.plugIn()
        try driver.plugIn()

        // The service uses the example with these two cameras. The example mirrors and blurs the driver's picture, and
        // tones it sepia.
        let port = try FreePort.tcp()
        try service.configure([
            ("size: 1280x720, fps: 30", "size: 320x180, fps: 15"),
            ("camera:0, size: 1280x720", "\"\(road.address)\""), ("camera:1", "\"\(driver.address)\""),
            ("127.0.0.1:8080", "127.0.0.1:\(port)"),
            // Other tests may keep the machine busy, so relief under pressure is off.
            ("pressure: balanced", "pressure: \"off\""),
        ])
        var program = try service.start()
        let page = try await PageVisit(port: port)
        defer { page.browser.quit() }
        do {
            try await page.sees("opened", [.centre: .red, .topRight: .cream, .bottomLeft: .red])

            try await rearrange(page)
            let recorded = try await useOutputs(of: page, service)

            await driver.unplug()
            try await page.sees("unplugged", [.centre: .brown, .bottomLeft: .dark])
            try driver.plugIn()
            try await page.sees("plugged in again", [.centre: .brown, .bottomLeft: .cream])

            // The page must reconnect after a restart, and show the state of the configuration file.
            #expect(await program.stop() == 0)
            try await page.wait(for: "!document.querySelector('#gone').hidden")
            program = try service.start()
            try await page.sees("started again", [.centre: .red, .topRight: .cream, .bottomLeft: .red])
            #expect(page.complaints == [])
            #expect(await program.stop() == 0)

            // The recording of the example must have continued until the first stop.
            let drives = service.files(endingWith: ".mp4").filter { $0.hasPrefix("drive-") }
            #expect(drives.count == 2)
            let drive = try await Film(service.state.appending(path: try #require(drives.first)).path)
            #expect(drive.count > recorded)
            #expect(drive.last(.centre) == .brown && drive.last(.bottomLeft) == .cream)
        } catch {
            Issue.record("\(error)\n\(service.journal)")
        }
    }

    /// Moves the inset, adds an effect, and swaps the pictures twice.
    private func rearrange(_ page: PageVisit) async throws {
        try await page.dragInset()
        try await page.sees("dragged", [.centre: .red, .topRight: .red, .bottomLeft: .cream])

        try await page.add("sepia", to: "road")
        try await page.sees("sepia", [.centre: .brown, .bottomLeft: .cream])

        try await page.doubleClick("driver")
        try await page.sees("swapped", [.centre: .cream, .bottomLeft: .brown])
        try await page.swap()
        try await page.sees("swapped back", [.centre: .brown, .bottomLeft: .cream])
    }

    /// Records a movie, takes a still and sends a stream.
    ///
    /// - Returns: The number of frames in the movie and the stream together.
    private func useOutputs(of page: PageVisit, _ service: InstalledService) async throws -> Int {
        try await page.record()
        let movie = try #require(service.files(endingWith: ".mp4").first { $0.hasPrefix("recordings/") })
        let recording = try await Film(service.state.appending(path: movie).path)
        #expect(recording.count >= 20)
        #expect(recording.last(.centre) == .brown && recording.last(.bottomLeft) == .cream)

        #expect(try await page.takeStill(.bottomLeft) == .cream)
        let picture = try #require(service.files(endingWith: ".jpg").first)
        let still = try await Film(service.state.appending(path: picture).path)
        #expect(still.last(.centre) == .brown && still.last(.bottomLeft) == .cream)

        let site = try StreamingSite()
        try await page.stream(to: site.address)
        await site.end()
        let stream = try await Film(try #require(site.kept))
        #expect(stream.count >= 15)
        #expect(stream.last(.centre) == .brown && stream.last(.bottomLeft) == .cream)
        return recording.count + stream.count
    }
}
#endif
