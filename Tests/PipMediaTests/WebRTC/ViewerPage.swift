#if Media
/// The HTML of a page that plays `/whep`, reads the numbers that frames show, and reports them every 200 ms.
func viewerPage(_ viewers: Int, asksForOffer: Bool, asksForKeys: Bool) -> String {
    """
    <!doctype html><title>viewers</title><body><script>
    const all = {}
    const worker = new Worker('/worker.js')

    function number(context, width, height) {
        const bits = row => {
            let value = 0
            for (let bit = 0; bit < 16; bit++) {
                const x = Math.floor((bit + 0.5) * width / 16), y = Math.floor(height * row)
                if (context.getImageData(x, y, 1, 1).data[1] > 127) value |= 1 << bit
            }
            return value
        }
        const value = bits(1 / 8)
        return (value ^ bits(3 / 8)) === 0xffff ? value : -1
    }

    function now() { return performance.timeOrigin + performance.now() }

    async function view(name) {
        const viewer = all[name] = {frames: [], keyFrames: 0, state: 'new', error: '', soundPackets: 0, soundEnergy: 0,
            opening: {offered: 0, answered: 0, connected: 0, received: 0}}
        const opening = viewer.opening
        const connection = viewer.connection = new RTCPeerConnection()
        connection.onconnectionstatechange = () => {
            viewer.state = connection.connectionState
            if (viewer.state === 'connected') opening.connected ||= now()
        }
        connection.ontrack = event => {
            if (event.track.kind === 'audio') {
                const player = new Audio()
                player.srcObject = new MediaStream([event.track])
                player.play()
                return
            }
            event.receiver.jitterBufferTarget = 0
            if (\(asksForKeys)) event.receiver.transform = new RTCRtpScriptTransform(worker, {})
            viewer.receiver = event.receiver
            const video = document.createElement('video')
            video.muted = true
            video.srcObject = new MediaStream([event.track])
            document.body.append(video)
            video.play()
            const canvas = document.createElement('canvas')
            const context = canvas.getContext('2d', {willReadFrequently: true})
            const look = (_, frame) => {
                video.requestVideoFrameCallback(look)
                // The first callback may come before the element has the frame, which leaves the canvas empty.
                //
                // Before the first frame that was sent, the browser shows a black frame of its own.
                if (video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA || frame.rtpTimestamp === undefined) return
                canvas.width = video.videoWidth
                canvas.height = video.videoHeight
                context.drawImage(video, 0, 0)
                opening.received ||= performance.timeOrigin + frame.receiveTime
                viewer.frames.push({number: number(context, canvas.width, canvas.height), time: now()})
            }
            video.requestVideoFrameCallback(look)
        }
        if (\(asksForOffer)) {
            const response = await send('POST', '/whep')
            if (response.status !== 201) throw new Error(response.status + ' ' + await response.text())
            viewer.location = response.headers.get('Location')
            await connection.setRemoteDescription({type: 'offer', sdp: await response.text()})
            await connection.setLocalDescription()
            await gathered(connection)
            await send('PATCH', viewer.location, connection.localDescription.sdp)
        } else {
            // The page offers sound first; an endpoint without sound refuses that section.
            connection.addTransceiver('audio', {direction: 'recvonly'})
            connection.addTransceiver('video', {direction: 'recvonly'})
            await connection.setLocalDescription()
            await gathered(connection)
            opening.offered = now()
            const response = await send('POST', '/whep', connection.localDescription.sdp)
            if (response.status !== 201) throw new Error(response.status + ' ' + await response.text())
            viewer.location = response.headers.get('Location')
            const sdp = await response.text()
            opening.answered = now()
            await connection.setRemoteDescription({type: 'answer', sdp})
        }
    }

    function gathered(connection) {
        return new Promise(done => {
            setTimeout(done, 1000)
            const look = () => { if (connection.iceGatheringState === 'complete') done() }
            connection.addEventListener('icegatheringstatechange', look)
            look()
        })
    }

    async function report() {
        const told = {}
        for (const [name, viewer] of Object.entries(all)) {
            for (const stat of (await viewer.connection.getStats()).values())
                if (stat.type === 'inbound-rtp') {
                    if (stat.kind === 'video') viewer.keyFrames = stat.keyFramesDecoded ?? 0
                    else [viewer.soundPackets, viewer.soundEnergy] = [stat.packetsReceived, stat.totalAudioEnergy ?? 0]
                }
            told[name] = {frames: viewer.frames.splice(0), keyFrames: viewer.keyFrames, state: viewer.state,
                error: viewer.error, soundPackets: viewer.soundPackets, soundEnergy: viewer.soundEnergy,
                opening: viewer.opening}
        }
        const response = await fetch('/report', {method: 'POST', body: JSON.stringify(told)})
        for (const command of (await response.text()).split(' ')) {
            if (command === 'key') worker.postMessage('key')
            if (command === 'leave') await leave(all[0])
            if (command === 'next') {
                const last = Object.keys(all).length - 1
                await leave(all[last])
                open(last + 1)
            }
        }
        setTimeout(report, 200)
    }

    function send(method, path, body) {
        return fetch(path, {method, headers: body ? {'Content-Type': 'application/sdp'} : {}, body})
    }

    async function leave(viewer) {
        await send('DELETE', viewer.location)
        viewer.connection.close()
    }

    function open(index) { view(index).catch(error => { all[index].error = String(error) }) }
    for (let index = 0; index < \(viewers); index++) open(index)
    report()
    </script>
    """
}

/// A worker script that passes a track's frames on, and requests a key frame from the sender on command.
let viewerWorker = """
    let transformer
    onrtctransform = event => {
        transformer = event.transformer
        transformer.readable.pipeTo(transformer.writable)
    }
    onmessage = () => transformer?.sendKeyFrameRequest()
    """
#endif
