import DeskBytes
import DeskJSON

extension WhatsAppTemplate {
    /// One reading of a template's components.
    struct Reading {
        /// Buttons that need nothing, or a value that can be given here.
        private static let knownButtons: Set = [
            "QUICK_REPLY", "URL", "PHONE_NUMBER", "COPY_CODE", "VOICE_CALL",
        ]
        /// Most buttons of a template, and most variables of a text.
        private static let most = 100
        /// Longest text of a part, and longest address, in bytes.
        ///
        /// Longer than what is published: 1,024 characters and 2,000. One variable may stand many times in a text, each
        /// time with a value of thousands of bytes.
        private static let mostBytes = 4_096

        private let template: JSONValue
        var header: Header?
        var body = ""
        var footer: String?
        var buttons: [Button] = []
        var parameters: [Parameter] = []
        var isFillable = true
        var isNamed: Bool

        init(_ template: JSONValue) {
            self.template = template
            isNamed = template["parameter_format"]?.equals("NAMED") == true
        }

        /// A text of the template, as far as it is one of published length; what is longer is not filled.
        private mutating func text(_ value: JSONValue?) -> String? {
            guard let text = value?.string else { return nil }
            guard text.utf8.count > Self.mostBytes else { return text }
            isFillable = false
            return nil
        }

        mutating func read() {
            guard let list = template["components"], list.kind == .array else {
                isFillable = false
                return
            }
            for component in list.elements {
                switch component["type"]?.string?.uppercased() {
                case "HEADER": readHeader(component)
                case "BODY": readBody(component)
                case "FOOTER": footer = text(component["text"])
                case "BUTTONS": readButtons(component)
                default: isFillable = false
                }
            }
            if body.isEmpty { isFillable = false }
            let order = Parameter.Place.allCases
            parameters.sort { one, other in
                // Stable: within a place they are in order already.
                (order.firstIndex(of: one.place) ?? 0) < (order.firstIndex(of: other.place) ?? 0)
            }
        }

        private mutating func readHeader(_ component: JSONValue) {
            let format = component["format"]?.string?.uppercased() ?? "TEXT"
            let text = text(component["text"])
            header = Header(format: format, text: format == "TEXT" ? text : nil)
            let example = component["example"]
            switch format {
            case "TEXT":
                add(
                    WhatsAppPlaceholders.names(in: text ?? ""), in: .header,
                    example?["header_text"], example?["header_text_named_params"])
            case "IMAGE": add(.image, named: "image", key: "header")
            case "VIDEO": add(.video, named: "video", key: "header")
            case "DOCUMENT": add(.document, named: "document", key: "header")
            default: isFillable = false
            }
        }

        private mutating func readBody(_ component: JSONValue) {
            body = text(component["text"]) ?? ""
            let example = component["example"]
            add(
                WhatsAppPlaceholders.names(in: body), in: .body, example?["body_text"]?[0],
                example?["body_text_named_params"])
        }

        private mutating func add(_ kind: Parameter.Kind, named name: String, key: String) {
            parameters.append(
                Parameter(key: key, place: .header, kind: kind, name: name, example: nil))
        }

        private mutating func add(
            _ names: [String], in place: Parameter.Place, _ numbered: JSONValue?,
            _ named: JSONValue?
        ) {
            if names.contains(where: { !$0.utf8.allSatisfy(ASCII.isDigit) }) { isNamed = true }
            guard names.count <= Self.most else {
                isFillable = false
                return
            }
            for (index, name) in names.enumerated() {
                var example = numbered?[index]?.string
                if let named, named.kind == .array {
                    example =
                        named.elements.first { $0["param_name"]?.equals(name) == true }?[
                            "example"]?.string ?? example
                }
                parameters.append(
                    Parameter(
                        key: "\(place.rawValue).\(name)", place: place, kind: .text, name: name,
                        example: example))
            }
        }

        private mutating func readButtons(_ component: JSONValue) {
            guard let list = component["buttons"], list.kind == .array, list.count <= Self.most
            else {
                isFillable = false
                return
            }
            for (index, button) in list.elements.enumerated() {
                let type = button["type"]?.string?.uppercased() ?? ""
                let value = text(button["url"]) ?? text(button["phone_number"])
                buttons.append(
                    Button(type: type, text: text(button["text"]) ?? type, value: value))
                if !Self.knownButtons.contains(type) { isFillable = false }
                let isOpen = type == "URL" && !WhatsAppPlaceholders.names(in: value ?? "").isEmpty
                guard isOpen || type == "COPY_CODE" else { continue }
                let example = button["example"]
                parameters.append(
                    Parameter(
                        key: "button.\(index)", place: .button, kind: isOpen ? .suffix : .code,
                        name: String(index),
                        example: isOpen ? nil : example?.string ?? example?[0]?.string))
            }
        }
    }
}
