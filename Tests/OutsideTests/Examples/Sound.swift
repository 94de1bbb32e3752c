import PipCompose
import PipMedia

/// Records two microphones: their mix in a movie and a WAV file, and each as its own track of another movie.
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

/// Shows a clip of a map over a camera, and mixes in the clip's recorded words.
func explained(_ camera: CameraSource, _ sound: AudioMixer) -> Compositor {
    let map = MovieSource("map.mp4", loops: true, from: .seconds(5), to: .seconds(8))
    sound.add(MovieSound(map), name: "words")
    return Compositor {
        Layer(camera)
        Layer(map).placed(.bottomRight, width: 0.25)
    }
}

/// Lets the sound follow the camera in the large layer, and swaps the cabin's camera into that layer.
func showCabin(
    _ picture: Compositor, _ sound: AudioMixer, road: (CameraSource, AudioInput), cabin: (CameraSource, AudioInput)
) throws {
    let (large, small) = (picture.layers[0], picture.layers[1])
    sound.follow(large, [road, cabin], over: .milliseconds(300))
    try picture.swap(large, small)
}
