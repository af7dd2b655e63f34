public import DeskModel

/// Defines an attribute of a business, or changes what may change of one.
///
/// Refused as `notFound` without the business or the definition, as `nameTaken` when the key is used for
/// its subject, and as `unusable` for one definition or choice too many.
public struct SaveAttribute: WriteStep {
    /// What is changed; nil members stay as they are.
    public struct Values: Hashable, Sendable {
        /// What people call it.
        public var name: String?
        /// Choices to add; those that are there already stay where they are.
        public var choices: [String]?
        /// The place in lists.
        public var order: Int?
        /// Whether it is given no further values.
        public var isRetired: Bool?

        /// Changes nothing.
        public init() {}
    }

    /// A new definition, or the change of one.
    enum Saving: Sendable {
        case made(AttributeDefinition)
        case changed(AttributeID, Values)
    }

    let business: BusinessID
    let saving: Saving
    let author: Author
    let time: Timestamp

    /// Says who defines what.
    public init(_ definition: AttributeDefinition, by author: Author, at time: Timestamp) {
        business = definition.business
        saving = .made(definition)
        self.author = author
        self.time = time
    }

    /// Says who changes what.
    public init(
        _ id: AttributeID, of business: BusinessID, _ values: Values, by author: Author,
        at time: Timestamp
    ) {
        self.business = business
        saving = .changed(id, values)
        self.author = author
        self.time = time
    }
}
