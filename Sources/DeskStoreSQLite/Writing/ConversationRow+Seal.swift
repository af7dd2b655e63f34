import DeskModel
import DeskStore

extension ConversationRow {
    /// The seal of the conversation's row, over its columns in `ConversationColumns.sealed`.
    var seal: Int64 {
        var seal = RowSeal()
        let customer = conversation.customer
        seal.add(conversation.id.value)
        seal.add(business)
        seal.add(customer.id.text)
        seal.add(customer.name)
        seal.add(customer.locale)
        seal.add(customer.capabilities?.joined(separator: ","))
        seal.add(customer.intent)
        seal.add(customer.group)
        seal.add(conversation.state.rawValue)
        seal.add(conversation.assignee?.value)
        seal.add(conversation.snoozedUntil)
        seal.add(conversation.hasLeft)
        seal.add(conversation.isMuted)
        seal.add(conversation.customerFloor.value)
        seal.add(conversation.openedAt)
        let last = conversation.last
        seal.add(conversation.newest.value)
        seal.add(last?.id.text)
        seal.add(last?.direction.rawValue)
        seal.add(last?.kind.rawValue)
        seal.add(last?.time)
        seal.add(last?.summary)
        seal.add(Int64(conversation.unread))
        seal.add(conversation.readUpTo.value)
        seal.add(conversation.waitingSince)
        seal.add(conversation.activity.value)
        seal.add(head)
        seal.add(end)
        seal.add(conversation.revision.value)
        seal.add(last?.author.kind)
        seal.add(last?.author.name)
        return seal.value
    }
}
