#if Control
internal import PipCompose
internal import PipRig

/// Answers requests: checks access, calls the endpoint, and turns errors into problem documents.
struct PanelService: Sendable {
    /// The length limit of a request's body, in bytes.
    static let bodyLimit = 65_536

    private let context: PanelContext
    private let router: Router

    init(_ context: PanelContext) {
        self.context = context
        router = Router(routes: Self.routes(context))
    }

    /// All endpoints of the API.
    static func routes(_ context: PanelContext) -> [Route] {
        var routes =
            StateEndpoints(context: context).routes + LayerEndpoints(context: context).routes
            + CameraEndpoints(context: context).routes + ChainEndpoints(context: context).routes
            + OutputEndpoints(context: context).routes + TelemetryEndpoints(context: context).routes
            + PreviewEndpoints(context: context).routes
            + AccessEndpoints(context: context).routes
        #if Media
        routes += RecordingEndpoints(context: context).routes
        #endif
        let description = Route(
            method: "GET", path: "/api/openapi.json", summary: "This description.", isOpen: true,
            handler: { [routes] _ in .json(OpenAPI.document(of: routes, version: context.program)) })
        return routes + [description]
    }

    /// Answers a request.
    ///
    /// Errors become problem documents.
    func respond(to request: PanelRequest) async -> PanelResponse {
        var response: PanelResponse
        do { response = try await answer(request) } catch { response = .problem(Problem(error)) }
        response.headers.merge(context.access.sharing(request)) { own, _ in own }
        response.headers["X-Content-Type-Options"] = "nosniff"
        response.headers["Referrer-Policy"] = "no-referrer"
        return response
    }

    private func answer(_ request: PanelRequest) async throws -> PanelResponse {
        try context.access.checkOrigin(request, changes: !["GET", "HEAD", "OPTIONS"].contains(request.method))
        if request.method == "GET" || request.method == "HEAD", let file = PageFiles.response(for: request.path) {
            return file
        }
        if request.method == "OPTIONS", !context.access.sharing(request).isEmpty { return PanelResponse(status: 204) }
        let (route, variables) = try router.route(request)
        if !route.isOpen { try context.access.checkToken(request) }
        if route.changes {
            // HTML forms of other sites cannot send the endpoint's media type, so this check stops cross-site requests.
            let wanted = route.body == nil ? "application/json" : route.bodyType
            guard
                request.contentType == wanted
                    || (route.body == nil && request.body.isEmpty && request.contentType == nil)
            else { throw Problem(415, "\(request.method) \(request.path) needs the Content-Type \(wanted)") }
        }
        guard request.body.isEmpty || route.body != nil || route.changes else {
            throw Problem(400, "\(request.method) takes no body")
        }
        var request = request
        request.variables = variables
        if let body = route.body, body["properties"] != nil {
            request.fields = try Fields(JSON(reading: request.body), of: body)
        }
        return try await route.handler(request)
    }
}
#endif
