import DeskModel

/// Names and texts of Chatwoot's canned responses as those of templates.
enum CannedText {
    /// The name of a template for a short code, another for each.
    static func name(of code: String, among names: inout Set<String>) -> String {
        var name = ""
        for byte in code.lowercased().utf8 {
            let isAllowed =
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            if isAllowed {
                name.unicodeScalars.append(Unicode.Scalar(byte))
            } else if let last = name.last, last != "-" {
                name += "-"
            }
        }
        while name.last == "-" { name.removeLast() }
        if name.isEmpty { name = "text" }
        name = String(name.prefix(TemplateName.maximumBytes - 8))
        var unique = name
        var number = 2
        while !names.insert(unique).inserted {
            unique = "\(name)-\(number)"
            number += 1
        }
        return unique
    }

    /// Placeholders that both have, by Chatwoot's names.
    private static let known = [
        "contact.name": "customer.name", "agent.name": "agent.name",
        "account.name": "business.name",
    ]

    /// A text with the placeholders of templates, and whether it says the customer's name, of which a template
    /// says what it is where the server does not know it.
    static func placeholders(of text: String) -> (text: String, needsName: Bool) {
        var parts = ""
        var needsName = false
        var rest = Substring(text)
        while let open = rest.firstRange(of: "{{"),
            let close = rest[open.upperBound...].firstRange(of: "}}")
        {
            let name = rest[open.upperBound..<close.lowerBound].filter { $0 != " " }
            parts += rest[..<open.lowerBound]
            if let here = known[name] {
                parts += "{{\(here)}}"
                if here == "customer.name" { needsName = true }
            } else {
                parts += rest[open.lowerBound..<close.upperBound]
            }
            rest = rest[close.upperBound...]
        }
        return (parts + rest, needsName)
    }
}
