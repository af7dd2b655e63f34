import DeskJSON

/// A member of the envelope that may be left out, because it can be filled in.
public enum EnvelopeMember: String, Sendable, CaseIterable {
    /// The version, always 1.
    case v
    /// The message's id.
    case id
    /// The sender.
    case sourceId
    /// The receiver.
    case destinationId
}

/// What a payload's envelope states by itself.
public struct StatedEnvelope: Sendable {
    let id: JSONValue?
    let source: JSONValue?
    let destination: JSONValue?
    let version: JSONValue?
    let root: JSONValue?

    /// The envelope of a text's root.
    init(of root: JSONValue?) {
        self.root = root
        version = root?["v"]
        id = root?["id"]
        source = root?["sourceId"]
        destination = root?["destinationId"]
    }

    /// The message id stated.
    public var messageID: String? { id?.string }
    /// The sender stated.
    public var sourceID: String? { source?.string }
    /// The receiver stated.
    public var destinationID: String? { destination?.string }
    /// The locale stated.
    public var locale: String? { root?["locale"]?.string }
    /// The intent stated.
    public var intent: String? { root?["intent"]?.string }
    /// The group stated.
    public var group: String? { root?["group"]?.string }

    /// The members that are left out.
    public var missing: [EnvelopeMember] {
        EnvelopeMember.allCases.filter { member in
            switch member {
            case .v: version == nil
            case .id: id == nil
            case .sourceId: source == nil
            case .destinationId: destination == nil
            }
        }
    }

    /// The payload with every missing member spliced in right after its first `{`.
    ///
    /// No other byte changes; a payload that is no object comes back as it is.
    public func completed(
        _ payload: [UInt8], id made: String, sourceID: String, destinationID: String
    ) -> [UInt8] {
        guard let root, root.kind == .object else { return payload }
        var members: [UInt8] = []
        members.reserveCapacity(256)
        if version == nil { members.append(contentsOf: Self.versionMember) }
        if id == nil { Self.append(Self.idKey, made, to: &members) }
        if source == nil { Self.append(Self.sourceKey, sourceID, to: &members) }
        if destination == nil { Self.append(Self.destinationKey, destinationID, to: &members) }
        guard !members.isEmpty else { return payload }
        if root.count == 0 { members.removeLast() }
        let place = root.range.lowerBound + 1
        precondition(place <= payload.count, "the payload of \(payload.count) bytes is another one")
        var whole: [UInt8] = []
        whole.reserveCapacity(payload.count + members.count)
        whole.append(contentsOf: payload[..<place])
        whole.append(contentsOf: members)
        whole.append(contentsOf: payload[place...])
        return whole
    }

    private static let versionMember = Array(#""v":1,"#.utf8)
    private static let idKey = Array(#""id":"#.utf8)
    private static let sourceKey = Array(#""sourceId":"#.utf8)
    private static let destinationKey = Array(#""destinationId":"#.utf8)

    private static func append(_ key: [UInt8], _ value: String, to members: inout [UInt8]) {
        members.append(contentsOf: key)
        JSONWriter.append(value, to: &members)
        members.append(UInt8(ascii: ","))
    }
}
