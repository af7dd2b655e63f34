import DeskModel
import DeskWeb

extension Fields {
    /// The id under which a message is to be sent; nil where the request leaves it out, and where it is noted as none.
    mutating func messageID() -> MessageID? {
        guard let given = text("id", bytes: 1...MessageID.maximumBytes) else { return nil }
        let id = MessageID(given)
        if id == nil { note("id", "printable characters without spaces", "Send a UUID.") }
        return id
    }
}
