package import DeskModel

/// One column's value, in the kinds that rows of every engine have.
package enum RowValue: Hashable, Sendable {
    /// Absent.
    case null
    /// A number; also a moment in milliseconds, and a claim as 1 or 0.
    case integer(Int64)
    case text(String)
    /// An id, stored as its 16 bytes.
    case id(UniqueID)
    /// A digest, stored as its 32 bytes.
    case digest(Digest)

    /// The kinds of values that a column is read and archived as.
    package enum Kind: Sendable {
        /// A number.
        case integer
        /// A number that is 1 or 0.
        case claim
        /// A number that counts milliseconds.
        case time
        case text
        case id
        case digest
    }
}

extension RowChecksum {
    /// Adds a column's value.
    package mutating func add(_ value: RowValue) {
        switch value {
        case .null: addNull()
        case .integer(let number): add(number)
        case .text(let text): add(text)
        case .id(let id): add(id)
        case .digest(let digest): add(digest)
        }
    }
}
