import DeskModel
import DeskStore

extension WriteSession {
    func leave(
        _ id: NoteID, _ text: String, in conversation: ConversationID, by author: Author,
        at time: Timestamp
    ) throws(StoreError) -> Outcome {
        guard var one = try findHot(conversation) else { return .refused(.notFound) }
        willWrite()
        let note = Note(
            id: id, time: time, author: author, text: text,
            afterSequence: one.conversation.newest)
        let row = try insert(note, ofConversation: one.number)
        one.conversation.activity = Position(newest + 1)
        _ = try tell(.noteAdded, in: &one, subject: row, body: .note(note), at: time)
        keep(one, isWhole: true)
        return .note(note)
    }

    func record(
        _ type: EventType, of business: BusinessID, in conversation: ConversationID?,
        _ data: [UInt8], at time: Timestamp
    ) throws(StoreError) -> Outcome {
        guard let number = try Businesses.number(of: business, on: connection) else {
            return .refused(.notFound)
        }
        guard let conversation else {
            let event = try tell(
                type, of: (number, business), in: nil, subject: nil, body: .json(data), at: time)
            return .event(event.id)
        }
        guard var one = try findHot(conversation), one.business == number else {
            return .refused(.notFound)
        }
        let event = try tell(type, in: &one, body: .json(data), at: time)
        keep(one, isWhole: false)
        return .event(event.id)
    }

    func publish(_ template: Template) throws(StoreError) -> Outcome {
        guard let number = try Businesses.number(of: template.business, on: connection) else {
            return .refused(.notFound)
        }
        guard try Holds.hasAll(template.attachments, on: connection) else {
            return .refused(.notFound)
        }
        willWrite()
        let published = try Templates.add(template, on: connection)
        for attachment in template.attachments {
            try Holds.add(
                attachment, by: .business(template.business), at: template.publishedAt,
                on: connection)
        }
        // A template's name is of letters, digits, '-', '_' and '.': no escape is needed.
        let data = "{\"name\":\"\(template.name.text)\",\"version\":\(published.version)}"
        _ = try tell(
            .templatePublished, of: (number, template.business), in: nil, subject: nil,
            body: .json(Array(data.utf8)), at: template.publishedAt)
        return .template(published)
    }

    func begin(_ session: Session) throws(StoreError) -> Outcome {
        willWrite()
        try Sessions.add(session, on: connection)
        return .done
    }

    func redeem(
        _ link: Digest, for conversation: ConversationID, at time: Timestamp
    ) throws(StoreError) -> Outcome {
        guard let one = try findHot(conversation) else { return .refused(.notFound) }
        let statement = try connection.statement(
            literal: """
                UPDATE join_codes SET uses_left = uses_left - 1, conversation = ? \
                WHERE link = ? AND business = ? AND uses_left > 0 AND expires_at > ?
                """)
        try statement.bind(conversation.value)
        try statement.bind(link)
        try statement.bind(one.conversation.business.value)
        try statement.bind(time)
        guard try statement.runCounting() == 1 else { return .refused(.notFound) }
        willWrite()
        return .done
    }

    func bind(
        _ conversation: ConversationID, to link: GatewayLinkID
    ) throws(StoreError) -> Outcome {
        willWrite()
        let statement = try connection.statement(
            literal: "INSERT OR REPLACE INTO upstream_conversations VALUES (?, ?)")
        try statement.bind(conversation.value)
        try statement.bind(link.value)
        try statement.run()
        return .done
    }

    func keepObjects(_ ids: [String]) throws(StoreError) -> Outcome {
        willWrite()
        for id in ids {
            let statement = try connection.statement(
                literal: "UPDATE mmcs_objects SET kept_until = NULL WHERE id = ?")
            try statement.bind(id)
            try statement.run()
        }
        return .done
    }
}
