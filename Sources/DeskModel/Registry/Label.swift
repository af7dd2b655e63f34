/// A word that agents put on conversations, one of its business.
///
/// Nothing is deleted: a retired label is not put on further conversations, and stays readable on
/// those that have it and in their events.
public struct Label: Hashable, Sendable {
    /// Most labels of a business, retired ones included; one more is refused.
    public static let most = 200
    /// Most labels on one conversation; one more is refused.
    public static let mostOfConversation = 20
    /// Longest name in bytes of UTF-8.
    public static let maximumNameBytes = 120

    /// Its name on the server.
    public let id: LabelID
    /// Whose it is.
    public let business: BusinessID
    /// What people call it; unique in the business without regard to case.
    public var name: String
    /// `#rrggbb`.
    public var colour: String
    /// Its place in lists; those with the same are sorted by name.
    public var order: Int
    /// Whether it is put on no further conversation.
    public var isRetired: Bool

    /// Describes a label.
    public init(
        id: LabelID, business: BusinessID, name: String, colour: String, order: Int = 0,
        isRetired: Bool = false
    ) {
        self.id = id
        self.business = business
        self.name = name
        self.colour = colour
        self.order = order
        self.isRetired = isRetired
    }

    /// The name in the form in which names are compared.
    public var key: [UInt8] { Array(name.lowercased().utf8) }
}
