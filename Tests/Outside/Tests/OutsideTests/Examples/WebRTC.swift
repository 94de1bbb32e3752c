import PipCompose
import PipMedia

/// A picture for browsers, and the same one for a server that passes it on to many more: encoded once.
func show(_ picture: Compositor, to server: String, token: String) -> (endpoint: WHEPEndpoint, outputs: [Output]) {
    let broadcast = WebRTCBroadcast(iceServers: [ICEServer("stun:stun.example.org")])
    let viewers = picture --> broadcast
    let publication = picture --> WHIPStream(server, token: token)
    return (WHEPEndpoint(broadcast, path: "/whep"), [viewers, publication])
}
