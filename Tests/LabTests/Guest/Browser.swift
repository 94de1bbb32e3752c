import Foundation
import PipTestSupport

/// Chromium, which plays the guest's first camera in a page.
enum Browser {
    static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: "/usr/bin/chromium") }

    /// Opens a page that plays the camera, and reads pixels of the video.
    ///
    /// - Returns: The camera's name, and the colours of eight pixels in a row, such as `255,255,255`.
    static func look() throws -> (camera: String, colours: [String]) {
        let folder = try TemporaryFolder()
        try Data(page.utf8).write(to: folder.url.appending(path: "page.html"))
        let options = [
            "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-zygote",
            "--in-process-gpu", "--disable-extensions", "--disable-background-networking",
            // No user can allow the use of the camera or click on the video.
            "--use-fake-ui-for-media-stream", "--autoplay-policy=no-user-gesture-required",
            // The page prints its results to the console, which goes to standard error.
            "--enable-logging=stderr", "--user-data-dir=\(folder.path("profile"))",
        ]
        let browser = try Background(
            ["bash", "-c", "HOME=\(folder.url.path) exec chromium \"$@\" 2>&1", "chromium"] + options
                + ["file://\(folder.path("page.html"))"])
        defer { browser.stop() }
        var said = ""
        while true {
            let next = browser.read()
            if next.isEmpty { throw ProgramFailure(command: "chromium", said: said) }
            said += next
            if let found = said.firstMatch(of: /pip-camera (.*) \| (.*) \|/) {
                return (String(found.1), found.2.split(separator: " ").map(String.init))
            }
            if let found = said.firstMatch(of: /pip-error .*/) {
                throw ProgramFailure(command: "chromium", said: String(found.0))
            }
        }
    }

    private static let page = """
        <video id="video" muted playsinline></video>
        <script>
        (async () => {
            const stream = await navigator.mediaDevices.getUserMedia({video: true})
            const video = document.getElementById("video")
            video.srcObject = stream
            await video.play()
            const canvas = document.createElement("canvas")
            canvas.width = video.videoWidth
            canvas.height = video.videoHeight
            let frames = 0
            const look = () => {
                frames += 1
                if (frames < 3) { return video.requestVideoFrameCallback(look) }
                const context = canvas.getContext("2d")
                context.drawImage(video, 0, 0)
                const colours = [...Array(8).keys()].map(bar => {
                    const x = canvas.width * (2 * bar + 1) / 16
                    return context.getImageData(x, canvas.height / 3, 1, 1).data.slice(0, 3).join(",")
                })
                console.log(`pip-camera ${stream.getVideoTracks()[0].label} | ${colours.join(" ")} |`)
            }
            video.requestVideoFrameCallback(look)
        })().catch(error => console.log(`pip-error ${error}`))
        </script>
        """
}
