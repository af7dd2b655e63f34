/// Names of Unicode properties as patterns spell them.
enum UnicodeProperty {
    /// The engine's name for a general category or a script; nil when it has none.
    static func engineName(_ name: String) -> String? {
        var value = name
        if let mark = name.firstIndex(of: "=") {
            value = String(name[name.index(after: mark)...])
            let key = name[..<mark]
            switch key {
            case "gc", "General_Category": return category(value)
            case "sc", "Script": return isScriptName(value) ? value : nil
            default: return nil
            }
        }
        return category(value)
    }

    private static func category(_ name: String) -> String? {
        if shortNames.contains(name) { return name }
        return longNames[name]
    }

    private static func isScriptName(_ name: String) -> Bool {
        name.utf8.count > 2 && name.utf8.allSatisfy { ($0 | 0x20) &- 0x61 < 26 || $0 == 0x5F }
    }

    private static let shortNames: Set<String> = [
        "C", "Cc", "Cf", "Co", "L", "Ll", "Lm", "Lo", "Lt", "Lu", "M", "Mc", "Me", "Mn", "N",
        "Nd", "Nl", "No", "P", "Pc", "Pd", "Pe", "Pf", "Pi", "Po", "Ps", "S", "Sc", "Sk", "Sm",
        "So", "Z", "Zl", "Zp", "Zs",
    ]

    private static let longNames: [String: String] = [
        "Other": "C", "Control": "Cc", "cntrl": "Cc", "Format": "Cf", "Private_Use": "Co",
        "Letter": "L", "Lowercase_Letter": "Ll", "Modifier_Letter": "Lm", "Other_Letter": "Lo",
        "Titlecase_Letter": "Lt", "Uppercase_Letter": "Lu", "Mark": "M", "Combining_Mark": "M",
        "Spacing_Mark": "Mc", "Enclosing_Mark": "Me", "Nonspacing_Mark": "Mn", "Number": "N",
        "Decimal_Number": "Nd", "digit": "Nd", "Letter_Number": "Nl", "Other_Number": "No",
        "Punctuation": "P", "punct": "P", "Connector_Punctuation": "Pc",
        "Dash_Punctuation": "Pd", "Close_Punctuation": "Pe", "Final_Punctuation": "Pf",
        "Initial_Punctuation": "Pi", "Other_Punctuation": "Po", "Open_Punctuation": "Ps",
        "Symbol": "S", "Currency_Symbol": "Sc", "Modifier_Symbol": "Sk", "Math_Symbol": "Sm",
        "Other_Symbol": "So", "Separator": "Z", "Line_Separator": "Zl",
        "Paragraph_Separator": "Zp", "Space_Separator": "Zs",
    ]
}
