import PipCompose
import PipMedia

/// Encodes a picture once, for browsers and for a server that distributes it to more viewers.
func show(
    _ picture: Compositor, _ sound: AudioMixer, to server: String, token: String
) -> (endpoint: WHEPEndpoint, outputs: [Output]) {
    let broadcast = WebRTCBroadcast(sound: sound, iceServers: [ICEServer("stun:stun.example.org")])
    let viewers = picture --> broadcast
    let publication = picture --> WHIPStream(server, token: token, sound: sound)
    return (WHEPEndpoint(broadcast, path: "/whep"), [viewers, publication])
}
