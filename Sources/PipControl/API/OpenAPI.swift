#if Control
internal import PipRig

/// The OpenAPI description of the panel's API, generated from the routes.
///
/// Source: OpenAPI Specification 3.1.
enum OpenAPI {
    static func document(of routes: [Route], version: String) -> JSON {
        var paths: [String] = []
        for route in routes where !paths.contains(route.path) { paths.append(route.path) }
        let operations = paths.map { path in
            let here = routes.filter { $0.path == path }
            return JSON.Member(path, JSON.object(here.map { JSON.Member($0.method.lowercased(), operation($0)) }))
        }
        return .object([
            "openapi": "3.1.0",
            "info": JSON.object([
                "title": "pip-compose", "version": version,
                "description": "A running composition: seen, changed, recorded and measured.",
            ]),
            "paths": JSON.object(operations),
            "components": JSON.object([
                "schemas": AnswerSchema.named,
                "securitySchemes": JSON.object(["token": JSON.object(["type": "http", "scheme": "bearer"])]),
            ]),
        ])
    }

    private static func operation(_ route: Route) -> JSON {
        var operation = JSON.object(["summary": route.summary, "operationId": identifier(route)])
        let variables = route.path.split(separator: "/").filter { $0.hasPrefix("{") }.map { $0.dropFirst().dropLast() }
        let parameters =
            variables.map { parameter(String($0), in: "path", variable(route), isRequired: true) }
            + route.query.map { parameter($0.name, in: "query", $0.schema, isRequired: false) }
        if !parameters.isEmpty { operation.add("parameters", parameters) }
        if let body = route.body {
            operation.add(
                "requestBody", JSON.object(["required": true, "content": content(route.bodyType, of: body)]))
        }
        operation.add("responses", responses(route))
        if !route.isOpen { operation.add("security", [JSON.object(["token": JSON.array([])]), .object([])]) }
        return operation
    }

    private static func content(_ type: String, of schema: JSON) -> JSON {
        .object([type: JSON.object(["schema": schema])])
    }

    private static func variable(_ route: Route) -> JSON {
        route.path.hasPrefix("/api/v1/scenes/") ? Schema.sceneName : Schema.identifier
    }

    private static func parameter(_ name: String, in place: String, _ schema: JSON, isRequired: Bool) -> JSON {
        .object(["name": name, "in": place, "required": isRequired, "schema": schema])
    }

    private static func responses(_ route: Route) -> JSON {
        let problem = JSON.object([
            "description": "The request is refused; the detail says why.",
            "content": content("application/problem+json", of: AnswerSchema.reference("problem")),
        ])
        var success = JSON.object(["description": route.summary])
        if route.status != 204 { success.add("content", content(route.responseType, of: route.answer)) }
        var responses = JSON.object(["\(route.status)": success])
        if route.path == "/api/v1/state" {
            responses.add("304", JSON.object(["description": "Nothing has changed."]))
        }
        if route.further.contains("206") { responses.add("206", success) }
        responses.add("4XX", problem)
        if route.further.contains("500") { responses.add("500", problem) }
        responses.add("503", problem)
        return responses
    }

    private static func identifier(_ route: Route) -> String {
        let words = route.path.split(separator: "/").map { $0.filter { $0.isLetter || $0.isNumber } }
        return ([route.method.lowercased()] + words.filter { $0 != "api" && $0 != "v1" }).joined(separator: "-")
    }
}
#endif
