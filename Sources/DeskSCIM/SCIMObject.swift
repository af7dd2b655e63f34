import DeskBytes
import DeskJSON

/// The members of a JSON object by names in any case.
struct SCIMObject {
    /// Most members of a value that a request has or makes; one more is an invalid value.
    ///
    /// Names are looked for one by one.
    static let maximumMembers = 100

    /// The members in their order.
    private(set) var members: [(String, JSON)]

    /// An object without members.
    init() { members = [] }

    /// Those of an object; nil for any other value.
    init?(_ value: JSON) {
        guard case .object(let members) = value else { return nil }
        self.members = members
    }

    /// It as a value.
    var json: JSON { .object(members) }

    /// It as a value; nil when it has no members.
    var jsonUnlessEmpty: JSON? { members.isEmpty ? Optional.none : .some(json) }

    /// The value of a name.
    ///
    /// A new name is added at the end; one that is there keeps its spelling.
    subscript(name: String) -> JSON? {
        get { place(of: name).map { members[$0].1 } }
        set {
            switch (place(of: name), newValue) {
            case (let place?, let value?): members[place].1 = value
            case (let place?, nil): members.remove(at: place)
            case (nil, let value?): members.append((name, value))
            case (nil, nil): break
            }
        }
    }

    /// Removes the value of a name and gives it to the caller, who so changes it without a copy.
    mutating func take(_ name: String) -> JSON? {
        guard let place = place(of: name) else { return nil }
        let value = members[place].1
        members[place].1 = .null
        return value
    }

    /// That a value has too many members.
    static func tooLarge(_ count: Int) -> SCIMFault {
        SCIMFault(
            .invalidValue,
            "A value: found an object with \(count) attributes; allowed: \(maximumMembers). Send fewer."
        )
    }

    /// Sets those members that another object has; `null` removes one.
    mutating func merge(_ other: SCIMObject) {
        for (name, value) in other.members {
            self[SCIMNames.spelled(sub: name)] = value.unlessNull
        }
    }

    private func place(of name: String) -> Int? {
        members.firstIndex { SCIMNames.areEqual($0.0, name) }
    }
}

extension JSON {
    /// The member of a name in any case; nil for `null` too, which says that there is no value.
    func attribute(_ name: String) -> JSON? {
        guard case .object(let members) = self,
            let value = members.first(where: { SCIMNames.areEqual($0.0, name) })?.1
        else { return nil }
        return value.unlessNull
    }

    /// It, or no value when it is `null`.
    ///
    /// An own property, since `nil` alone is also a literal of `null`.
    var unlessNull: JSON? {
        guard case .null = self else { return .some(self) }
        return .none
    }

    /// Whether it is `null`.
    var isNull: Bool {
        guard case .null = self else { return false }
        return true
    }

    /// Whether it says nothing: null, an empty text, or a container in which all is empty.
    var isEmpty: Bool {
        switch self {
        case .null: true
        case .string(let text): text.isEmpty
        case .array(let elements): elements.allSatisfy(\.isEmpty)
        case .object(let members): members.allSatisfy(\.1.isEmpty)
        case .integer, .number, .bool, .raw: false
        }
    }

    /// Whether it is an array.
    var isArray: Bool {
        guard case .array = self else { return false }
        return true
    }

    /// An object with its members in the spelling of their schemas, without those that are `null`.
    var spelled: JSON {
        guard let parts = SCIMObject(self) else { return self }
        var object = SCIMObject()
        object.merge(parts)
        return object.json
    }

    /// The fewest bytes that its text has: escapes and commas are not counted.
    var leastBytes: Int {
        switch self {
        case .object(let members):
            members.reduce(2) { $0 + $1.0.utf8.count + 3 + $1.1.leastBytes }
        case .array(let elements): elements.reduce(2) { $0 + $1.leastBytes }
        case .string(let text): text.utf8.count + 2
        case .number(let text): text.utf8.count
        case .raw(let bytes): bytes.count
        case .integer, .bool, .null: 1
        }
    }

    /// The elements of an array, otherwise the value itself.
    var list: [JSON] {
        guard case .array(let elements) = self else { return [self] }
        return elements
    }

    /// Its text, when it is one.
    var string: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }

    /// Its truth value, which Microsoft Entra sends as the text "True" or "False".
    var truth: Bool? {
        switch self {
        case .bool(let value): value
        case .string(let text) where SCIMNames.areEqual(text, "true"): true
        case .string(let text) where SCIMNames.areEqual(text, "false"): false
        case .string, .integer, .number, .null, .array, .object, .raw: nil
        }
    }
}
