public import DeskJSON

extension WhatsAppTemplate {
    /// What the customer sees: header, text and footer, then the buttons, each in brackets with what is behind it.
    ///
    /// - Parameter values: the values by the keys of the parameters.
    public func text(_ values: [String: String]) -> String {
        func filled(_ text: String, _ place: Parameter.Place) -> String {
            WhatsAppPlaceholders.fill(text) { values["\(place.rawValue).\($0)"] }
        }
        var parts: [String] = []
        if let header {
            parts.append(header.text.map { filled($0, .header) } ?? values["header"] ?? "")
        }
        parts.append(filled(body, .body))
        if let footer { parts.append(footer) }
        let lines = buttons.enumerated().map { index, button in
            let given = values["button.\(index)"]
            let behind =
                button.type == "COPY_CODE"
                ? given : button.value.map { WhatsAppPlaceholders.fill($0) { _ in given } }
            return "[\(button.text)]" + (behind.map { " \($0)" } ?? "")
        }
        parts.append(lines.joined(separator: "\n"))
        return parts.filter { !$0.isEmpty }.joined(separator: "\n\n")
    }

    /// The member `template` of the message that is posted.
    ///
    /// - Parameter values: the values by the keys of the parameters.
    public func json(_ values: [String: String]) -> JSON {
        var components: [JSON] = []
        for place in [Parameter.Place.header, .body] {
            let own = parameters.filter { $0.place == place }
            guard !own.isEmpty else { continue }
            components.append([
                "type": .string(place.rawValue),
                "parameters": .array(own.map { json($0, values[$0.key] ?? "") }),
            ])
        }
        for parameter in parameters where parameter.place == .button {
            components.append([
                "type": "button",
                "sub_type": .string(parameter.kind == .code ? "copy_code" : "url"),
                "index": .string(parameter.name),
                "parameters": .array([json(parameter, values[parameter.key] ?? "")]),
            ])
        }
        var members: [(String, JSON)] = [
            ("name", .string(name)), ("language", ["code": .string(language)]),
        ]
        if !components.isEmpty { members.append(("components", .array(components))) }
        return .object(members)
    }

    private func json(_ parameter: Parameter, _ value: String) -> JSON {
        switch parameter.kind {
        case .text where isNamed:
            [
                "type": "text", "parameter_name": .string(parameter.name), "text": .string(value),
            ]
        case .text, .suffix: ["type": "text", "text": .string(value)]
        case .code: ["type": "coupon_code", "coupon_code": .string(value)]
        case .image, .video, .document:
            .object([
                ("type", .string(parameter.kind.rawValue)),
                (parameter.kind.rawValue, .object([("link", .string(value))])),
            ])
        }
    }
}
