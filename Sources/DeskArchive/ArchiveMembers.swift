import DeskJSON
import DeskModel
import DeskStore

/// The members of one object of an archive, each read once; a member that was never read is a
/// fault.
struct ArchiveMembers {
    /// What members were called in earlier archives.
    private static let earlierNames = ["mode": Mode.earlierName]

    private let object: JSONValue
    private var taken = 0

    /// - Throws: when it is no object.
    init(_ value: JSONValue, _ what: String = "the line") throws(ArchiveFault) {
        guard value.kind == .object else { throw ArchiveFault("\(what) is no JSON object") }
        object = value
    }

    /// Checks that every member was read.
    ///
    /// - Throws: when there is a member that this version does not know.
    func end() throws(ArchiveFault) {
        guard taken == object.count else {
            throw ArchiveFault("it has a member that this version does not know")
        }
    }

    /// A member as it is, under its name or the one of earlier archives; nil when it is not there.
    mutating func find(_ name: String) -> JSONValue? {
        guard let found = object[name] ?? Self.earlierNames[name].flatMap({ object[$0] })
        else { return nil }
        taken += 1
        return found
    }

    /// A member as `read` understands it.
    mutating func take<Value>(
        _ name: String, _ what: String, _ read: (JSONValue) -> Value?
    ) throws(ArchiveFault) -> Value {
        guard let found = find(name) else { throw ArchiveFault("\"\(name)\" is missing") }
        guard let value = read(found) else { throw ArchiveFault("\"\(name)\" is not \(what)") }
        return value
    }

    /// A member as `read` understands it; nil when it is not there.
    mutating func takeIfAny<Value>(
        _ name: String, _ what: String, _ read: (JSONValue) -> Value?
    ) throws(ArchiveFault) -> Value? {
        guard let found = find(name) else { return nil }
        guard let value = read(found) else { throw ArchiveFault("\"\(name)\" is not \(what)") }
        return value
    }

    // MARK: Kinds of values

    mutating func text(_ name: String) throws(ArchiveFault) -> String {
        try take(name, "a text") { $0.string }
    }

    mutating func textIfAny(_ name: String) throws(ArchiveFault) -> String? {
        try takeIfAny(name, "a text") { $0.string }
    }

    mutating func utf8(_ name: String) throws(ArchiveFault) -> [UInt8] {
        try take(name, "a text") { $0.stringBytes }
    }

    /// A number that is not negative.
    mutating func number(_ name: String) throws(ArchiveFault) -> Int64 {
        try take(name, "a whole number from 0 to 2^53") { Self.number($0) }
    }

    /// A number that is not negative; nil when it is not there.
    mutating func numberIfAny(_ name: String) throws(ArchiveFault) -> Int64? {
        try takeIfAny(name, "a whole number from 0 to 2^53") { Self.number($0) }
    }

    mutating func claim(_ name: String) throws(ArchiveFault) -> Bool {
        try take(name, "true or false") { $0.bool }
    }

    mutating func time(_ name: String) throws(ArchiveFault) -> Timestamp {
        try take(name, "a time such as 2026-07-30T09:15:00.250Z") { Self.time($0) }
    }

    mutating func timeIfAny(_ name: String) throws(ArchiveFault) -> Timestamp? {
        try takeIfAny(name, "a time such as 2026-07-30T09:15:00.250Z") { Self.time($0) }
    }

    /// An id made of a UUID.
    mutating func id<ID: UniquelyNamed>(
        _ name: String, as _: ID.Type = ID.self
    ) throws(ArchiveFault) -> ID {
        try take(name, "a UUID") { $0.string.flatMap { ID($0) } }
    }

    mutating func idIfAny<ID: UniquelyNamed>(
        _ name: String, as _: ID.Type = ID.self
    ) throws(ArchiveFault) -> ID? {
        try takeIfAny(name, "a UUID") { $0.string.flatMap { ID($0) } }
    }

    mutating func digest(_ name: String) throws(ArchiveFault) -> Digest {
        try take(name, "64 hexadecimal digits") { $0.string.flatMap { Digest($0) } }
    }

    mutating func digestIfAny(_ name: String) throws(ArchiveFault) -> Digest? {
        try takeIfAny(name, "64 hexadecimal digits") { $0.string.flatMap { Digest($0) } }
    }

    /// A column's value; null when it is not there.
    mutating func value(_ name: String, _ kind: RowValue.Kind) throws(ArchiveFault) -> RowValue {
        switch kind {
        case .integer:
            let number = try takeIfAny(name, "a whole number from 0 to 2^53") { Self.number($0) }
            return number.map { .integer($0) } ?? .null
        case .claim:
            let claim = try takeIfAny(name, "true or false") { $0.bool }
            return claim.map { .integer($0 ? 1 : 0) } ?? .null
        case .time: return try timeIfAny(name).map { .integer($0.milliseconds) } ?? .null
        case .text: return try textIfAny(name).map { .text($0) } ?? .null
        case .id:
            let id = try takeIfAny(name, "a UUID") { $0.string.flatMap { UniqueID($0) } }
            return id.map { .id($0) } ?? .null
        case .digest: return try digestIfAny(name).map { .digest($0) } ?? .null
        }
    }

    /// A word that `make` knows.
    mutating func word<Value>(
        _ name: String, _ make: (String) -> Value?
    ) throws(ArchiveFault) -> Value {
        try take(name, "a word that this version knows") { $0.string.flatMap(make) }
    }

    mutating func position(_ name: String) throws(ArchiveFault) -> Position {
        Position(try number(name))
    }

    mutating func sequence(_ name: String) throws(ArchiveFault) -> SequenceNumber {
        SequenceNumber(try number(name))
    }

    mutating func revisionIfAny(_ name: String) throws(ArchiveFault) -> Revision? {
        try takeIfAny(name, "a whole number from 1 to 2^53") {
            Self.number($0).flatMap { $0 > 0 ? Revision($0) : nil }
        }
    }

    mutating func author(_ name: String) throws(ArchiveFault) -> Author {
        guard let author = try authorIfAny(name) else {
            throw ArchiveFault("\"\(name)\" is missing")
        }
        return author
    }

    mutating func authorIfAny(_ name: String) throws(ArchiveFault) -> Author? {
        guard let found = find(name) else { return nil }
        var members = try ArchiveMembers(found, "\"\(name)\"")
        let kind = try members.text("kind")
        let author = try members.word("name") { Author(kind: kind, name: $0) }
        try members.end()
        return author
    }

    /// Ids of one kind of thing; none where the member is missing.
    mutating func ids<ID: UniquelyNamed>(
        _ name: String, as _: ID.Type = ID.self
    ) throws(ArchiveFault) -> [ID] {
        try list(name) { value throws(ArchiveFault) in
            guard let id = value.string.flatMap({ ID($0) }) else {
                throw ArchiveFault("one of \"\(name)\" is not a UUID")
            }
            return id
        }
    }

    /// The elements of an array, each as `read` understands it; none when it is not there.
    mutating func list<Value>(
        _ name: String, _ read: (JSONValue) throws(ArchiveFault) -> Value
    ) throws(ArchiveFault) -> [Value] {
        guard let found = find(name) else { return [] }
        guard found.kind == .array else { throw ArchiveFault("\"\(name)\" is not a list") }
        var values: [Value] = []
        for element in found.elements { values.append(try read(element)) }
        return values
    }

    private static func number(_ value: JSONValue) -> Int64? {
        guard let number = value.int, (0...1 << 53).contains(number) else { return nil }
        return Int64(number)
    }

    private static func time(_ value: JSONValue) -> Timestamp? {
        value.string.flatMap { Timestamp($0) }
    }
}
