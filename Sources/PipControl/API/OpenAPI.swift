#if Control
internal import PipRig

/// The description of the API, made of its routes.
///
/// Source: OpenAPI Specification 3.1.
enum OpenAPI {
    static func document(of routes: [Route], version: String) -> JSON {
        var paths: [String] = []
        for route in routes where !paths.contains(route.path) { paths.append(route.path) }
        return .object([
            "openapi": .string("3.1.0"),
            "info": .object([
                "title": .string("pip-compose"), "version": .string(version),
                "description": .string("A running composition: seen, changed, recorded and measured."),
            ]),
            "paths": .object(
                paths.map { path in
                    let here = routes.filter { $0.path == path }
                    return JSON.Member(
                        key: path,
                        value: .object(here.map { JSON.Member(key: $0.method.lowercased(), value: operation($0)) }))
                }),
            "components": .object([
                "schemas": .object(AnswerSchema.named),
                "securitySchemes": .object([
                    "token": .object(["type": .string("http"), "scheme": .string("bearer")])
                ]),
            ]),
        ])
    }

    private static func operation(_ route: Route) -> JSON {
        var members: [JSON.Member] = [
            .init(key: "summary", value: .string(route.summary)),
            .init(key: "operationId", value: .string(identifier(route))),
        ]
        let variables = route.path.split(separator: "/").filter { $0.hasPrefix("{") }.map { $0.dropFirst().dropLast() }
        let parameters =
            variables.map { parameter(String($0), in: "path", variable(route), isRequired: true) }
            + route.query.map { parameter($0.name, in: "query", $0.schema, isRequired: false) }
        if !parameters.isEmpty { members.append(.init(key: "parameters", value: .array(parameters))) }
        if let body = route.body {
            members.append(
                .init(
                    key: "requestBody",
                    value: .object([
                        "required": .bool(true),
                        "content": .object([.init(key: route.bodyType, value: .object(["schema": body]))]),
                    ])))
        }
        members.append(.init(key: "responses", value: responses(route)))
        if !route.isOpen {
            members.append(
                .init(key: "security", value: .array([.object(["token": .array([])]), .object([])])))
        }
        return .object(members)
    }

    private static func variable(_ route: Route) -> JSON {
        route.path.hasPrefix("/api/v1/scenes/") ? Schema.sceneName : Schema.identifier
    }

    private static func parameter(_ name: String, in place: String, _ schema: JSON, isRequired: Bool) -> JSON {
        .object([
            "name": .string(name), "in": .string(place), "required": .bool(isRequired), "schema": schema,
        ])
    }

    private static func responses(_ route: Route) -> JSON {
        let problem: JSON = .object([
            "description": .string("Refused, with a sentence."),
            "content": .object([
                "application/problem+json": .object(["schema": AnswerSchema.reference("problem")])
            ]),
        ])
        var success: [JSON.Member] = [.init(key: "description", value: .string(route.summary))]
        if route.status != 204 {
            success.append(
                .init(
                    key: "content",
                    value: .object([
                        .init(key: route.responseType, value: .object(["schema": route.answer]))
                    ])))
        }
        var members: [JSON.Member] = [.init(key: "\(route.status)", value: .object(success))]
        if route.path == "/api/v1/state" {
            members.append(.init(key: "304", value: .object(["description": .string("Nothing has changed.")])))
        }
        members += [.init(key: "4XX", value: problem), .init(key: "503", value: problem)]
        return .object(members)
    }

    private static func identifier(_ route: Route) -> String {
        let words = route.path.split(separator: "/").map { $0.filter { $0.isLetter || $0.isNumber } }
        return ([route.method.lowercased()] + words.filter { $0 != "api" && $0 != "v1" }).joined(separator: "-")
    }
}
#endif
