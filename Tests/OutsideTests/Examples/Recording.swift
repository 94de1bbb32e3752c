import PipCompose
import PipMedia

/// Records three files of a picture that has another output already, such as a screen.
func record(
    _ picture: Compositor, to folder: String, _ options: SessionOptions, by clock: some Clock<Duration>
) async throws {
    let session = try await Session(picture, options: options)
    async let run: Void = session.run()

    try await clock.sleep(for: .seconds(5))
    let full = try await session.configure { picture --> Y4MFile("\(folder)/full.y4m") }

    try await clock.sleep(for: .seconds(5))
    try await session.configure {
        picture --> Y4MFile("\(folder)/small.y4m").scaled(to: PixelSize(320, 180))
    }

    try await clock.sleep(for: .seconds(5))
    try await session.configure {
        full.remove()
        picture --> Y4MFile("\(folder)/next.y4m").scaled(to: PixelSize(160, 90))
    }

    try await clock.sleep(for: .seconds(5))
    session.stop()
    try await run
}

/// Records every frame of two cameras, in addition to the composed picture.
func archive(_ picture: Compositor, _ road: CameraSource, _ cabin: CameraSource, in folder: String) {
    picture --> MovieFile("\(folder)/drive.mp4")
    road --> CameraFile("\(folder)/road-%H%M%S.mp4", segments: .duration(.seconds(180)))
    // The cabin's camera is mounted on its side: players turn the picture.
    cabin --> CameraFile("\(folder)/cabin.mov", orientation: Orientation(quarterTurns: 1))
}

/// Keeps clips of a picture and of a camera, from 15 s before each marked moment to 10 s after it.
func keepClips(_ picture: Compositor, _ road: CameraSource, in folder: String) {
    let window = ClipWindow(before: .seconds(15), after: .seconds(10))
    picture --> MovieFile("\(folder)/clip-%Y%m%d-%H%M%S.mp4", clips: window)
    road --> CameraFile("\(folder)/road-%Y%m%d-%H%M%S.mp4", clips: window)
}

/// Records a time-lapse of a building site, and a picture file for each hour of daylight.
func watch(_ picture: Compositor, in folder: String) {
    let timeLapse = TimeLapse(every: .seconds(10), frameRate: FrameRate(25))
    picture --> MovieFile("\(folder)/site-%Y%m%d-%H%M%S.mp4", segments: .duration(.seconds(60)), timeLapse: timeLapse)
    picture
        --> JPEGFiles("\(folder)/%06d.jpg").scaled(to: PixelSize(640, 360))
        .taken(every: .seconds(3600), when: .light(above: 0.1))
}

/// Takes a still of the composed picture, and one of a camera at its largest size.
func photograph(_ picture: Compositor, _ camera: CameraSource, in session: Session) async throws {
    try await session.still(of: picture).write(to: "stills/%Y%m%d-%H%M%S.jpg")
    try await session.largestStill(of: camera, as: .png).write(to: "stills/plate-%05d.png")
}
