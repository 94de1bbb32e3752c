import PipCompose
import PipMedia

/// Sends a picture, encoded once, to browsers, and to a server that passes it on to many more viewers.
func show(
    _ picture: Compositor, _ sound: AudioMixer, to server: String, token: String
) -> (endpoint: WHEPEndpoint, outputs: [Output]) {
    let broadcast = WebRTCBroadcast(sound: sound, iceServers: [ICEServer("stun:stun.example.org")])
    let viewers = picture --> broadcast
    let publication = picture --> WHIPStream(server, token: token, sound: sound)
    return (WHEPEndpoint(broadcast, path: "/whep"), [viewers, publication])
}
