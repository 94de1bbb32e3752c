import ArgumentParser
import PipRig

/// The options `--panel` and `--panel-…`.
struct PanelArgumentOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Serve a page and an HTTP API that show and control the picture: 8080, 0.0.0.0:8080 or unix:PATH.",
            valueName: "[address:]port"))
    var panel: String?

    @Option(
        help: ArgumentHelp(
            "The secret that clients of the panel must present; needed where other machines reach the panel. Write '${file:PATH}' or '${NAME}'.",
            valueName: "token"))
    var panelToken: String?

    @Option(
        help: ArgumentHelp("The folder below which the panel may make recordings and stills.", valueName: "folder"))
    var panelRoot: String?

    @Option(
        help: ArgumentHelp(
            "The folder of the recordings that the panel lists, plays, locks and deletes; FOLDER?changes=off forbids locking and deleting.",
            valueName: "folder"))
    var panelRecordings: String?

    @Option(
        help: ArgumentHelp(
            "A further host name by which clients reach the panel; may be repeated.", valueName: "name"))
    var panelHost: [String] = []

    @Option(
        help: ArgumentHelp(
            "The origin of another web page that may use the panel, such as https://example.org; may be repeated.",
            valueName: "origin"))
    var panelOrigin: [String] = []

    func validate() throws {
        guard panel == nil else { return }
        let given: [(String, Bool)] = [
            ("--panel-token", panelToken != nil), ("--panel-root", panelRoot != nil),
            ("--panel-recordings", panelRecordings != nil), ("--panel-host", !panelHost.isEmpty),
            ("--panel-origin", !panelOrigin.isEmpty),
        ]
        if let lone = given.first(where: \.1) {
            throw ValidationError("\(lone.0) is for a panel: add --panel 8080")
        }
    }

    /// Merges the options into the settings of a configuration; nil for no panel.
    ///
    /// A given address, token or folder replaces that of the configuration. Host names and origins are added to those
    /// of the configuration.
    func settings(over file: RigFile.PanelSettings?) -> RigFile.PanelSettings? {
        guard let listen = panel ?? file?.listen else { return nil }
        var settings = file ?? RigFile.PanelSettings(listen)
        settings.listen = listen
        if let panelToken { settings.token = panelToken }
        if let panelRoot { settings.root = panelRoot }
        if let panelRecordings { settings.recordings = panelRecordings }
        settings.hosts += panelHost
        settings.origins += panelOrigin
        return settings
    }
}
