/// What a key may do, in parts that the person who makes it chooses.
public struct KeyScopes: OptionSet, Hashable, Sendable {
    /// One bit for each part.
    public let rawValue: UInt16

    /// The parts whose bits are set.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// To read conversations, events, contacts, members, reports and templates.
    public static let read = KeyScopes(rawValue: 1)
    /// To send messages, and to assign, label and close conversations.
    public static let send = KeyScopes(rawValue: 2)
    /// To publish and remove templates.
    public static let templates = KeyScopes(rawValue: 4)
    /// To change contacts, and to make the links by which customers come.
    public static let customers = KeyScopes(rawValue: 8)
    /// To make and change webhook endpoints.
    public static let webhooks = KeyScopes(rawValue: 16)
    /// To change the settings of a business.
    public static let administration = KeyScopes(rawValue: 32)
    /// To read the exchanges with gateways, headers and bodies included.
    public static let wireLog = KeyScopes(rawValue: 64)

    /// To suggest answers, of which an agent decides what is sent.
    public static let suggest = KeyScopes(rawValue: 128)

    /// To add and remove the people and teams of a business, as an identity provider does.
    public static let people = KeyScopes(rawValue: 256)

    /// All parts with their names, in the order in which they are shown.
    public static let named: [(name: String, scope: KeyScopes)] = [
        ("read", read), ("suggest", suggest), ("send", send), ("templates", templates),
        ("customers", customers), ("webhooks", webhooks), ("administration", administration),
        ("people", people), ("wire_log", wireLog),
    ]

    /// Every part.
    public static let all = KeyScopes(named.map(\.scope))
    /// What a key may do that names no scope: all that keys could before there were scopes.
    public static let unnamed = all.subtracting([administration, people])
    /// What a new key gets where its maker names no scope.
    public static let usual = unnamed.subtracting(wireLog)

    /// The parts with these names; a name that this program does not know allows nothing.
    public init(names: some Sequence<String>) {
        self = []
        for name in names {
            if let found = Self.named.first(where: { $0.name == name }) { insert(found.scope) }
        }
    }

    /// The names of the parts, in the order of `named`.
    public var names: [String] { Self.named.filter { contains($0.scope) }.map(\.name) }
}
