import DeskBytes
public import DeskJSON

/// One value that a template asks for.
public struct TemplateParameter: Hashable, Sendable {
    /// What a value may be.
    public enum Kind: String, Sendable, CaseIterable {
        /// Any text.
        case text
        /// A number, kept as written.
        case number
        /// A day such as `2026-12-01`, or a moment such as `2026-12-01T09:30+09:00`.
        case date
        /// One of the texts listed.
        case choice
    }

    /// The name between the braces.
    public let name: String
    /// What a value may be.
    public let kind: Kind
    /// What a form that asks for it says.
    public let label: String
    /// Whether a value must be given; a default answers for it.
    public let isRequired: Bool
    /// JSON text of the default value.
    public let defaultText: [UInt8]?
    /// The texts allowed, for a choice.
    public let choices: [String]

    /// Declares a parameter.
    public init(
        name: String, kind: Kind, label: String = "", isRequired: Bool = true,
        defaultText: [UInt8]? = nil, choices: [String] = []
    ) {
        self.name = name
        self.kind = kind
        self.label = label
        self.isRequired = isRequired
        self.defaultText = defaultText
        self.choices = choices
    }

    /// Reads `{"name","type","label"?,"required"?,"default"?,"choices"?}`; nil when it is not that.
    init?(_ value: JSONValue) {
        guard let name = value["name"]?.string, Self.isName(name.utf8),
            let kind = value["type"]?.string.flatMap({ Kind(rawValue: $0) })
        else { return nil }
        let listed = value["choices"]?.list ?? []
        let choices = listed.compactMap(\.string)
        guard choices.count == listed.count, (kind == .choice) == !choices.isEmpty,
            choices.count <= 100
        else { return nil }
        if let required = value["required"], required.bool == nil { return nil }
        if let label = value["label"], label.string == nil { return nil }
        let standard = value["default"].flatMap { $0.isNull ? nil : $0 }
        self.init(
            name: name, kind: kind, label: value["label"]?.string ?? "",
            isRequired: value["required"]?.bool ?? true,
            defaultText: standard.map { Array($0.rawBytes) }, choices: choices)
    }

    /// The parameter as the API writes it.
    public var json: JSON {
        .object([
            ("name", .string(name)), ("type", .string(kind.rawValue)), ("label", .string(label)),
            ("required", .bool(isRequired)), ("default", defaultText.map { .raw($0) } ?? .null),
            ("choices", .array(choices.map { .string($0) })),
        ])
    }

    /// What is wrong with a value for this parameter; nil when nothing is.
    func problem(with value: JSONValue) -> TemplateProblem? {
        let isRight =
            switch kind {
            case .text: value.isString
            case .number: value.kind == .number
            case .date: value.stringBytes.map(Self.isDate) ?? false
            case .choice: value.isString
            }
        guard isRight else { return .wrongType(name: name, expected: kind) }
        if kind == .choice, !choices.contains(where: { value.equals($0) }) {
            return .notAChoice(name: name, choices: choices)
        }
        return nil
    }

    /// Whether a text is words with points between, such as `customer.name`.
    static func isName(_ text: some Collection<UInt8>) -> Bool {
        guard (1...64).contains(text.count) else { return false }
        var beginsWord = true
        for byte in text {
            if byte == UInt8(ascii: ".") {
                guard !beginsWord else { return false }
                beginsWord = true
            } else {
                guard
                    ASCII.isLetter(byte)
                        || !beginsWord && (ASCII.isDigit(byte) || byte == UInt8(ascii: "_"))
                else { return false }
                beginsWord = false
            }
        }
        return !beginsWord
    }

    /// Whether a text is a day, or a moment.
    static func isDate(_ text: [UInt8]) -> Bool {
        if text.count == 10 { return SlotTime(text + Array("T00:00Z".utf8)) != nil }
        return SlotTime(text) != nil
    }
}
