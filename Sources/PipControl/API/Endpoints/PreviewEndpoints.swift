#if Control
internal import PipCompose
internal import PipRig

/// The endpoints of the live picture, as WebRTC and as Motion JPEG.
struct PreviewEndpoints {
    let context: PanelContext

    private static let largest = PixelSize(1920, 1080)

    var routes: [Route] {
        let description: JSON = .object(["type": "string"])
        return [
            Route(
                method: "POST", path: "/whep", summary: "Begins a WebRTC viewer (WHEP): an offer for an answer.",
                body: description, bodyType: "application/sdp", status: 201, responseType: "application/sdp",
                handler: { await context.previews.answer($0) }),
            Route(
                method: "PATCH", path: "/whep/{id}", summary: "Takes a viewer's answer.", body: description,
                bodyType: "application/sdp", status: 204, handler: { await context.previews.answer($0) }),
            Route(
                method: "DELETE", path: "/whep/{id}", summary: "Ends a viewer.", status: 200,
                handler: { await context.previews.answer($0) }),
            Route(
                method: "GET", path: "/preview.mjpeg", summary: "JPEG pictures, one after the other.",
                query: [("size", Schema.text("^[1-9][0-9]{1,3}x[1-9][0-9]{1,3}$")), ("fps", Schema.number(1...60))],
                responseType: "multipart/x-mixed-replace", ends: false, handler: pictures),
        ]
    }

    private func pictures(_ request: PanelRequest) async throws -> PanelResponse {
        var size = try request.query["size"].map { (text) throws(UsageError) in try PixelSize(argument: text) }
        if let wanted = size, wanted.width > Self.largest.width || wanted.height > Self.largest.height {
            size = Self.largest
        }
        let rate = try request.query["fps"].map { (text) throws(UsageError) in try FrameRate(argument: text) }
        let limited = min(rate ?? FrameRate(10), FrameRate(60))
        return try context.previews.motionJPEG(of: context.live, size: size, rate: limited)
    }
}
#endif
