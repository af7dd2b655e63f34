public import DeskJSON

/// What was said when a template was sent, read back from what is kept of it: the way back of `WhatsAppTemplate.json`.
public struct SentWhatsAppTemplate: Hashable, Sendable {
    /// The template's name.
    public let name: String
    /// The template's language.
    public let language: String
    /// The values by the keys of the parameters.
    public let values: [String: String]

    /// What was said.
    public init(name: String, language: String, values: [String: String]) {
        self.name = name
        self.language = language
        self.values = values
    }

    /// Reads the member `template` of a message that was posted; nil for what is none.
    public init?(_ template: JSONValue) {
        guard let name = template["name"]?.string,
            let language = template["language"]?["code"]?.string
        else { return nil }
        var values: [String: String] = [:]
        for component in Self.elements(template["components"]) {
            guard let place = component["type"]?.string else { return nil }
            for (index, parameter) in Self.elements(component["parameters"]).enumerated() {
                guard let type = parameter["type"]?.string,
                    let value = parameter[type]?["link"]?.string ?? parameter[type]?.string
                else { return nil }
                let key =
                    if let button = component["index"]?.string {
                        "\(place).\(button)"
                    } else if type == "text" {
                        "\(place).\(parameter["parameter_name"]?.string ?? "\(index + 1)")"
                    } else {
                        // A picture, film or document is the only one of its header.
                        place
                    }
                values[key] = value
            }
        }
        self.init(name: name, language: language, values: values)
    }

    private static func elements(_ list: JSONValue?) -> [JSONValue] {
        list.map { Array($0.elements) } ?? []
    }
}
