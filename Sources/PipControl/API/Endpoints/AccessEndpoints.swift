#if Control
internal import PipRig

/// The endpoints by which browsers sign in and out.
struct AccessEndpoints {
    let context: PanelContext

    var routes: [Route] {
        [
            Route(
                method: "POST", path: "/login", summary: "Begins a session for a client with the token.", isOpen: true,
                body: Schema.object(["token": Schema.text()], required: ["token"]), status: 204, handler: login),
            Route(
                method: "POST", path: "/logout", summary: "Ends the session.", isOpen: true, status: 204,
                handler: logout),
        ]
    }

    private func login(_ request: PanelRequest) async throws -> PanelResponse {
        let token = try request.fields.needed("token")
        return PanelResponse(status: 204, headers: ["Set-Cookie": try context.access.login(token, request)])
    }

    private func logout(_ request: PanelRequest) async throws -> PanelResponse {
        PanelResponse(status: 204, headers: ["Set-Cookie": context.access.logout(request)])
    }
}
#endif
