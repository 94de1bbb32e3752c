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

/// Shows the cabin in the large picture, and hears it.
func showCabin(
    _ compositor: Compositor, _ road: LayerHandle, _ cabin: LayerHandle, _ sound: AudioMixer, _ microphone: AudioInput
) throws {
    try compositor.swap(road, cabin)
    sound.crossfade(to: microphone, over: .milliseconds(300))
}
