package import DeskModel
import DeskStore

/// What the transaction that runs has read of bots and of who controls conversations: each message asks for both, and
/// the database may be a round trip away.
///
/// It stays true as long as the transaction writes only messages, events, conversations and who controls them.
package struct FoundBots {
    /// Whether the database has no bot at all.
    package var areNone = false
    private var bots: [BusinessID: [KnownBot]] = [:]
    private var controls: [ConversationID: Control?] = [:]

    /// The bots of a business, which are read if they are not known.
    mutating func bots(
        of business: BusinessID, on sql: any SQLSession
    ) throws(StoreError) -> [KnownBot] {
        if areNone { return [] }
        if let known = bots[business] { return known }
        let found = try Bots.known(of: business, on: sql)
        bots[business] = found
        return found
    }

    /// Who controls a conversation, which is read if it is not known; nil where no bot ever did.
    mutating func control(
        of conversation: ConversationID, on sql: any SQLSession
    ) throws(StoreError) -> Control? {
        if let known = controls[conversation] { return known }
        let found = try Controls.find(conversation, on: sql)
        controls.updateValue(found, forKey: conversation)
        return found
    }

    /// Notes who controls some conversations; nobody controls those of them that are not in the list.
    package mutating func note(_ found: [Control], of conversations: Set<ConversationID>) {
        for id in conversations { controls.updateValue(nil, forKey: id) }
        for control in found { note(control) }
    }

    /// Notes who controls a conversation from now on.
    mutating func note(_ control: Control) {
        controls.updateValue(control, forKey: control.conversation)
    }

    /// Forgets everything: it may be otherwise now.
    mutating func forget() {
        areNone = false
        // Most transactions have read one business's and no control.
        if !bots.isEmpty { bots.removeAll(keepingCapacity: true) }
        if !controls.isEmpty { controls.removeAll(keepingCapacity: true) }
    }
}
