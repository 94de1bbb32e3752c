#if Control
internal import PipCompose
internal import PipRig

/// The endpoint that switches cameras on and off, and changes their modes and controls.
struct CameraEndpoints {
    let context: PanelContext

    fileprivate static var mode: JSON {
        let formats = ["mjpeg", "mjpg", "jpeg"] + PixelFormat.allCases.map(\.rawValue)
        return Schema.object(
            [
                "size": Schema.text("^[1-9][0-9]{1,3}x[1-9][0-9]{1,3}$", nullable: true),
                "fps": Schema.number(1...240, nullable: true),
                "format": Schema.either(Schema.choice(formats, nullable: true), Schema.text("^[A-Z0-9]{3,4}$")),
            ], nullable: true)
    }

    var routes: [Route] {
        [
            Route(
                method: "PATCH", path: "/api/v1/cameras/{id}",
                summary: "Switches a camera, sets its mode and controls.",
                body: Schema.object([
                    "enabled": Schema.flag(nullable: true), "mode": Self.mode,
                    "controls": Schema.anyObject(
                        of: Schema.either(
                            Schema.flag(), Schema.integer(-2_147_483_648...2_147_483_647), Schema.text("^[^&?#]{1,64}$")
                        ),
                        nullable: true),
                    "when_missing": Schema.choice(AbsencePolicy.allCases.map(\.rawValue), nullable: true),
                    "mirror": Schema.flag(nullable: true),
                    "rotation": Schema.choice(CameraRotation.allCases.map(\.description), nullable: true),
                    "rate_limit": Schema.number(1...240, nullable: true), "paused": Schema.flag(nullable: true),
                ]), answer: AnswerSchema.reference("camera"), handler: patch)
        ]
    }

    private func patch(_ request: PanelRequest) async throws -> PanelResponse {
        let change = try CameraChange(request.fields)
        let name = request[variable: "id"]
        try await context.change(request) { rig in
            try rig.checkPicture(name, for: "cameras")
            guard var picture = rig[picture: name] else { return }
            let identity = picture.source.identity
            try change.apply(to: &picture)
            // All pictures of a camera share its settings.
            for index in rig.pictures.indices where rig.pictures[index].camera != nil {
                guard rig.pictures[index].source.identity == identity else { continue }
                rig.pictures[index].source = picture.source
                rig.pictures[index].isEnabled = picture.isEnabled
            }
            rig[picture: name] = picture
        }
        context.watch.readDevices()
        let state = await context.watch.update()
        guard case .array(let cameras)? = state.document["cameras"],
            let camera = cameras.first(where: { $0["id"] == .string(name) })
        else { throw Problem(404, "there is no camera \(name)") }
        return .json(camera)
    }
}

/// The settings that a request changes; nil keeps a setting.
private struct CameraChange: Sendable {
    private let isEnabled: Bool?
    private let isMirrored: Bool?
    private let absence: AbsencePolicy?
    private let mode: CameraWish?
    private let adjustments: CameraAdjustments
    private let controls: [(name: String, value: Int)]
    private let rotation: CameraRotation?
    /// The new rate limit, where an inner nil means no limit; nil keeps the current limit.
    private let rateLimit: FrameRate??
    private let isPaused: Bool?

    init(_ fields: Fields) throws {
        (isEnabled, isMirrored) = (try fields.flag("enabled"), try fields.flag("mirror"))
        mode = try fields["mode"].map(Self.mode)
        (adjustments, controls) = try fields["controls"].map(Self.controls) ?? (.init(), [])
        rotation = try fields.text("rotation").map(Self.rotation)
        let limit = try fields["rate_limit"].map { try Self.rate($0, "rate_limit") }
        rateLimit = fields.has("rate_limit") ? .some(limit) : nil
        isPaused = try fields.flag("paused")
        absence = try fields.text("when_missing").map { try AbsenceArgument($0).policy }
    }

    func apply(to picture: inout RigPicture) throws(RigError) {
        if let absence { picture.absence = absence }
        if let isMirrored { picture.isMirrored = isMirrored }
        let changesDevice =
            mode != nil || !adjustments.isEmpty || !controls.isEmpty || rotation != nil || rateLimit != nil
            || isPaused != nil
        guard isEnabled != nil || changesDevice else { return }
        guard let camera = picture.camera else {
            throw RigError(.conflict, "\(picture.name) is not a camera, so it has no mode, no controls and no switch")
        }
        if let isEnabled { picture.isEnabled = isEnabled }
        guard changesDevice else { return }
        var wish = camera.wish
        if let mode { (wish.size, wish.frameRate, wish.format) = (mode.size, mode.frameRate, mode.format) }
        if let rotation { wish.rotation = rotation }
        if let rateLimit { wish.rateLimit = rateLimit }
        if let isPaused { wish.isPaused = isPaused }
        wish.adjustments.merge(adjustments)
        for (name, value) in controls {
            wish.controls.removeAll { $0.name == name }
            wish.controls.append((name, value))
        }
        picture.source = picture.source.requesting(wish)
    }

    private static func mode(_ value: JSON) throws -> CameraWish {
        let fields = try Fields(value, of: CameraEndpoints.mode, named: "mode")
        var wish = CameraWish()
        if let size = fields["size"], let text = try? Fields.argument(size, "size") {
            wish.size = try PixelSize(argument: text, allowsOdd: true)
        }
        if let rate = fields["fps"], let text = try? Fields.argument(rate, "fps") {
            wish.frameRate = try FrameRate(argument: text)
        }
        if let format = fields["format"], let text = try? Fields.argument(format, "format") {
            wish.format = try deviceFormat(text)
        }
        return wish
    }

    private static func rotation(_ text: String) throws(Problem) -> CameraRotation {
        if let rotation = CameraRotation(text) { return rotation }
        let known = CameraRotation.allCases.map(\.description).joined(separator: ", ")
        throw Problem(422, "rotation is \(text), but must be one of \(known)")
    }

    private static func rate(_ value: JSON, _ key: String) throws -> FrameRate {
        guard case .some(let text) = try Fields.argument(value, key) else { throw Problem(422, "\(key) is missing") }
        return try FrameRate(argument: text)
    }

    /// Reads camera settings by their own names, and other controls by the driver's names.
    private static func controls(_ value: JSON) throws -> (CameraAdjustments, [(name: String, value: Int)]) {
        var adjustments = CameraAdjustments()
        var controls: [(name: String, value: Int)] = []
        for (name, value) in try Fields(value, of: nil, named: "controls").all {
            guard !name.isEmpty, name.utf8.count <= 64,
                name.allSatisfy({ $0.isLetter || $0.isNumber || "_-".contains($0) })
            else {
                throw Problem(
                    422, "\"\(name)\" is not a control's name: use letters, digits, - and _, 1 to 64 bytes in UTF-8")
            }
            if let text = try? Fields.argument(value, name), CameraAdjustments.isMeant(name, text) {
                try adjustments.take(name, text)
                continue
            }
            switch value {
            case .integer(let number): controls.append((name, number))
            case .bool(let isOn): controls.append((name, isOn ? 1 : 0))
            default: throw Problem(422, "\(name) must be a whole number, true or false")
            }
        }
        return (adjustments, controls)
    }
}
#endif
