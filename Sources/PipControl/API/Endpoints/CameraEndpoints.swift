#if Control
internal import PipCompose
internal import PipRig

/// The endpoint that switches cameras, and sets their modes and controls.
struct CameraEndpoints {
    let context: PanelContext

    private static var mode: JSON {
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
        let fields = request.fields
        let name = request[variable: "id"]
        let isEnabled = try fields.flag("enabled")
        let isMirrored = try fields.flag("mirror")
        let mode = try fields["mode"].map { (value) throws(Problem) in try Self.mode(value) }
        let wishes = try fields["controls"].map { (value) throws(Problem) in try Self.controls(value) }
        let (adjustments, controls) = wishes ?? (CameraAdjustments(), [])
        let rotation = try fields.text("rotation").map { (text) throws(Problem) in try Self.rotation(text) }
        let limit = try fields["rate_limit"].map { (value) throws(Problem) in try Self.rate(value, "rate_limit") }
        let isLimitTold = fields.has("rate_limit")
        let isPaused = try fields.flag("paused")
        let isTreated = rotation != nil || isLimitTold || isPaused != nil
        let isTold = mode != nil || !adjustments.isEmpty || !controls.isEmpty || isTreated
        let absence = try fields.text("when_missing").map { (text) throws(UsageError) in
            try AbsenceArgument(text).policy
        }
        try await context.change(request) { rig in
            try rig.checkPicture(name, for: "cameras")
            guard var picture = rig[picture: name] else { return }
            if let absence { picture.absence = absence }
            if let isMirrored { picture.isMirrored = isMirrored }
            if isEnabled != nil || isTold {
                guard let camera = picture.camera else {
                    throw RigError(.conflict, "\(name) is not a camera, so it has no mode, no controls and no switch")
                }
                if let isEnabled { picture.isEnabled = isEnabled }
                var wish = camera.wish
                if let mode { (wish.size, wish.frameRate, wish.format) = (mode.size, mode.frameRate, mode.format) }
                if let rotation { wish.rotation = rotation }
                if isLimitTold { wish.rateLimit = limit }
                if let isPaused { wish.isPaused = isPaused }
                wish.adjustments.merge(adjustments)
                for (control, value) in controls {
                    wish.controls.removeAll { $0.name == control }
                    wish.controls.append((control, value))
                }
                if isTold { picture.source = picture.source.requesting(wish) }
            }
            // All pictures of a camera share its settings.
            let identity = rig[picture: name]?.source.identity
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

    private static func mode(_ value: JSON) throws(Problem) -> CameraWish {
        let fields = try Fields(value, of: mode)
        var wish = CameraWish()
        do throws(UsageError) {
            if let size = fields["size"], let text = try? Fields.argument(size, "size") {
                wish.size = try PixelSize(argument: text, allowsOdd: true)
            }
            if let rate = fields["fps"], let text = try? Fields.argument(rate, "fps") {
                wish.frameRate = try FrameRate(argument: text)
            }
            if let format = fields["format"], let text = try? Fields.argument(format, "format") {
                wish.format = try deviceFormat(text)
            }
        } catch { throw Problem(422, error.description) }
        return wish
    }

    private static func rotation(_ text: String) throws(Problem) -> CameraRotation {
        if let rotation = CameraRotation(text) { return rotation }
        let known = CameraRotation.allCases.map(\.description).joined(separator: ", ")
        throw Problem(422, "rotation is \(text), but must be one of \(known)")
    }

    private static func rate(_ value: JSON, _ key: String) throws(Problem) -> FrameRate {
        guard case .some(let text) = try Fields.argument(value, key) else { throw Problem(422, "\(key) is missing") }
        do throws(UsageError) { return try FrameRate(argument: text) } catch { throw Problem(422, error.description) }
    }

    /// Reads adjustments, and controls by their drivers' names.
    private static func controls(_ value: JSON) throws(Problem) -> (CameraAdjustments, [(String, Int)]) {
        var adjustments = CameraAdjustments()
        var controls: [(String, Int)] = []
        for (name, value) in try Fields(value, of: nil).all {
            guard !name.isEmpty, name.utf8.count <= 64,
                name.allSatisfy({ $0.isLetter || $0.isNumber || "_-".contains($0) })
            else { throw Problem(422, "\(name) is not a valid name for a control") }
            if let text = try? Fields.argument(value, name), CameraAdjustments.isMeant(name, text) {
                do throws(UsageError) { try adjustments.take(name, text) } catch {
                    throw Problem(422, error.description)
                }
                continue
            }
            switch value {
            case .integer(let number): controls.append((name, number))
            case .bool(let isOn): controls.append((name, isOn ? 1 : 0))
            default: throw Problem(422, "\(name) must be a whole number")
            }
        }
        return (adjustments, controls)
    }
}
#endif
