import PipCompose
import PipMedia

/// A dash cam with two microphones: the mix in one file, each by itself in another.
func record(_ picture: Compositor) -> (road: AudioInput, cabin: AudioInput) {
    let sound = AudioMixer()
    let road = sound.add(Microphone("hw:CARD=C920,DEV=0"), name: "road")
    let cabin = sound.add(Microphone.pulse(), name: "cabin")
    road.gain = -6
    road.highPass = 120
    picture --> MovieFile("drive.mp4", sound: [sound])
    picture --> MovieFile("tracks.mkv", sound: [road, cabin])
    picture --> WAVFile("drive.wav", sound: sound)
    return (road, cabin)
}

/// A map over a camera, with the words that were recorded for it.
func explained(_ camera: CameraSource, _ sound: AudioMixer) -> Compositor {
    let map = MovieSource("map.mp4", loops: true, from: .seconds(5), to: .seconds(8))
    sound.add(MovieSound(map), name: "words")
    return Compositor {
        Layer(camera)
        Layer(map).placed(.bottomRight, width: 0.25)
    }
}

/// Hears the microphone of whichever camera is in the large picture, and shows the cabin there.
func showCabin(
    _ picture: Compositor, _ sound: AudioMixer, road: (CameraSource, AudioInput), cabin: (CameraSource, AudioInput)
) throws {
    let (large, small) = (picture.layers[0], picture.layers[1])
    sound.follow(large, [road, cabin], over: .milliseconds(300))
    try picture.swap(large, small)
}
