#if Control
/// The files of the panel's page, which are embedded in the program.
enum PageFiles {
    private static let files: [String: (type: String, bytes: [UInt8])] = [
        "/": ("text/html; charset=utf-8", PackageResources.index_html),
        "/style.css": ("text/css; charset=utf-8", PackageResources.style_css),
        "/icon.svg": ("image/svg+xml", PackageResources.icon_svg),
        "/favicon.ico": ("image/svg+xml", PackageResources.icon_svg),
        "/app.js": (script, PackageResources.app_js), "/api.js": (script, PackageResources.api_js),
        "/cameras.js": (script, PackageResources.cameras_js), "/curves.js": (script, PackageResources.curves_js),
        "/dom.js": (script, PackageResources.dom_js), "/effects.js": (script, PackageResources.effects_js),
        "/geometry.js": (script, PackageResources.geometry_js),
        "/layers.js": (script, PackageResources.layers_js), "/live.js": (script, PackageResources.live_js),
        "/outputs.js": (script, PackageResources.outputs_js), "/picture.js": (script, PackageResources.picture_js),
        "/player.js": (script, PackageResources.player_js),
        "/recordings.js": (script, PackageResources.recordings_js),
        "/recordings.css": ("text/css; charset=utf-8", PackageResources.recordings_css),
        "/pressure.js": (script, PackageResources.pressure_js), "/scenes.js": (script, PackageResources.scenes_js),
    ]
    private static let script = "text/javascript; charset=utf-8"

    /// Answers with the page's file at a path; nil for an unknown path.
    static func response(for path: String) -> PanelResponse? {
        guard let file = files[path == "/index.html" ? "/" : path] else { return nil }
        let headers = [
            "Content-Type": file.type, "Cache-Control": "no-cache",
            "Content-Security-Policy":
                "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
        ]
        return PanelResponse(status: 200, headers: headers, body: .bytes(file.bytes))
    }
}
#endif
