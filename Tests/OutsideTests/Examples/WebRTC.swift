import PipCompose
import PipMedia

/// A picture for browsers, and the same one for a server that passes it on to many more: encoded once.
func show(
    _ picture: Compositor, _ sound: AudioMixer, to server: String, token: String
) -> (endpoint: WHEPEndpoint, outputs: [Output]) {
    let broadcast = WebRTCBroadcast(sound: sound, iceServers: [ICEServer("stun:stun.example.org")])
    let viewers = picture --> broadcast
    let publication = picture --> WHIPStream(server, token: token, sound: sound)
    return (WHEPEndpoint(broadcast, path: "/whep"), [viewers, publication])
}
