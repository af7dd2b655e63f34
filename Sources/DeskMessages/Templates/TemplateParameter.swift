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
        /// A list of objects, each with a value for each of the parameter's members.
        case list
    }

    /// Most members of a list's items.
    public static let maximumMembers = 20
    /// Most items of a list.
    public static let maximumItems = 100
    /// What each item of a list has without being declared: its place in the list, from 1 on.
    public static let position = "position"

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
    /// What each item has, for a list.
    public let members: [TemplateParameter]

    /// Declares a parameter.
    public init(
        name: String, kind: Kind, label: String = "", isRequired: Bool = true,
        defaultText: [UInt8]? = nil, choices: [String] = [],
        members: [TemplateParameter] = []
    ) {
        self.name = name
        self.kind = kind
        self.label = label
        self.isRequired = isRequired
        self.defaultText = defaultText
        self.choices = choices
        self.members = members
    }

    /// Reads `{"name","type","label"?,"required"?,"default"?,"choices"?,"members"?}`.
    ///
    /// Nil when it is not that. A list's members are parameters themselves, none of them a list.
    init?(_ value: JSONValue) {
        guard let name = value["name"]?.string, Self.isName(name.utf8),
            let kind = value["type"]?.string.flatMap({ Kind(rawValue: $0) })
        else { return nil }
        let listed = value["choices"]?.list ?? []
        let choices = listed.compactMap(\.string)
        guard choices.count == listed.count, (kind == .choice) == !choices.isEmpty,
            choices.count <= 100
        else { return nil }
        guard let members = Self.members(value["members"], of: kind) else { return nil }
        if let required = value["required"], required.bool == nil { return nil }
        if let label = value["label"], label.string == nil { return nil }
        let standard = value["default"].flatMap { $0.isNull ? nil : $0 }
        self.init(
            name: name, kind: kind, label: value["label"]?.string ?? "",
            isRequired: value["required"]?.bool ?? true,
            defaultText: standard.map { Array($0.rawBytes) }, choices: choices, members: members)
    }

    private static func members(_ value: JSONValue?, of kind: Kind) -> [TemplateParameter]? {
        guard kind == .list else { return value == nil ? [] : nil }
        let listed = value?.list ?? []
        guard (1...maximumMembers).contains(listed.count) else { return nil }
        var members: [TemplateParameter] = []
        for value in listed {
            guard let member = TemplateParameter(value), member.kind != .list,
                !member.name.utf8.contains(UInt8(ascii: ".")), !member.name.equalsBytes(position),
                !members.contains(where: { $0.name.equalsBytes(member.name) }),
                member.defaultProblems.isEmpty
            else { return nil }
            members.append(member)
        }
        return members
    }

    /// The parameter as the API writes it.
    public var json: JSON {
        .object([
            ("name", .string(name)), ("type", .string(kind.rawValue)), ("label", .string(label)),
            ("required", .bool(isRequired)), ("default", defaultText.map { .raw($0) } ?? .null),
            ("choices", .array(choices.map { .string($0) })),
            ("members", .array(members.map(\.json))),
        ])
    }

    /// What is wrong with the parameter's own default.
    var defaultProblems: [TemplateProblem] {
        defaultText.flatMap { JSONValue.parsed($0) }.map { problems(with: $0) } ?? []
    }

    /// What is wrong with a value for this parameter; empty when nothing is.
    ///
    /// - Parameter place: what the value is called, for that of an item its path, such as `slots/0/start`.
    func problems(with value: JSONValue, at place: String? = nil) -> [TemplateProblem] {
        let place = place ?? name
        let isRight =
            switch kind {
            case .text: value.isString
            case .number: value.kind == .number
            case .date: value.stringBytes.map(Self.isDate) ?? false
            case .choice: value.isString
            case .list: value.kind == .array
            }
        guard isRight else { return [.wrongType(name: place, expected: kind)] }
        if kind == .choice, !choices.contains(where: { value.equals($0) }) {
            return [.notAChoice(name: place, choices: choices)]
        }
        // A default answers for a value that is left out; an empty one is meant there.
        if kind == .text, isRequired, defaultText == nil, value.isEmptyText {
            return [.empty(name: place)]
        }
        return kind == .list ? itemProblems(value, at: place) : []
    }

    private func itemProblems(_ value: JSONValue, at place: String) -> [TemplateProblem] {
        guard value.count <= Self.maximumItems else { return [.tooManyItems(name: place)] }
        guard value.count > 0 || !isRequired else { return [.noItems(name: place)] }
        var problems: [TemplateProblem] = []
        for (index, item) in value.elements.enumerated() {
            guard TemplateError.hasRoom(beside: problems) else { break }
            guard item.kind == .object else {
                problems.append(.notAnItem(name: "\(place)/\(index)"))
                continue
            }
            for member in members {
                let path = "\(place)/\(index)/\(member.name)"
                if let value = item[member.name], !value.isNull {
                    problems += member.problems(with: value, at: path)
                } else if member.isRequired, member.defaultText == nil {
                    problems.append(.missing(name: path))
                }
            }
            for known in item.members
            where !members.contains(where: { $0.name.equalsBytes(known.key) }) {
                guard TemplateError.hasRoom(beside: problems) else { break }
                problems.append(.unknownValue(name: "\(place)/\(index)/\(known.key)"))
            }
        }
        return problems
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
