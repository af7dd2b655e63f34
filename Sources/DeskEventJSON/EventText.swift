package import DeskBroker
import DeskJSON
package import DeskModel

/// The one line of JSON that an event is in streams.
package enum EventText {
    /// An event as the business side sees it.
    package static func business(_ event: Event, _ authorNames: AuthorNames) -> [UInt8] {
        text(of: event, revision: event.revision, isImported: event.isImported) { text in
            if case .json(let bytes) = event.body { return text.raw(bytes) }
            text.object { $0.data(of: event, authorNames) }
        }
    }

    /// An event as the customer side sees it.
    package static func customer(_ event: Event) -> [UInt8] {
        // The customer does not learn of events beside the messages, nor of their number.
        text(of: event, revision: nil) { text in
            text.object { text in
                switch event.body {
                case .message(let message): text.member("message") { $0.customerMessage(message) }
                case .json(let bytes): if event.type == .messageErased { text.erasure(bytes) }
                case .conversation, .note: break
                }
            }
        }
    }

    /// An event without its data, as thin webhooks have it.
    package static func thin(_ event: Event) -> [UInt8] {
        text(of: event, revision: event.revision, isImported: event.isImported, data: nil)
    }

    private static func text(
        of event: Event, revision: Revision?, isImported: Bool = false,
        data: ((inout JSONWriter) -> Void)?
    ) -> [UInt8] {
        var text = JSONWriter(capacity: 2_048)
        text.object { text in
            text.member("id", event.id.text)
            text.member("type", event.type.rawValue)
            text.member("time", event.time)
            text.member("business", event.business.text)
            text.member("conversation", event.conversation?.id.text)
            text.member("sequence") { text in
                if let sequence = event.sequence {
                    text.number(Int(sequence.value))
                } else {
                    text.null()
                }
            }
            if let revision { text.member("revision", Int(revision.value)) }
            text.member("schema", Event.schema)
            if isImported { text.member("imported", true) }
            if let data { text.member("data", data) }
        }
        return text.bytes
    }

    /// A signal to connected readers; a customer does not learn which agent or key sent it.
    package static func signal(
        _ signal: Signal, for audience: Audience, _ authorNames: AuthorNames
    ) -> [UInt8] {
        JSONWriter.object(capacity: 256) { text in
            text.member("type", "ephemeral")
            text.member("kind", signal.kind.rawValue)
            text.member("conversation", signal.conversation?.text)
            if [.availability, .rule, .approval].contains(signal.kind) {
                text.member("business", signal.business.text)
            }
            switch audience {
            case .business: text.member("who") { $0.author(signal.who, authorNames) }
            case .customer:
                text.member("who") {
                    $0.object {
                        $0.member("type", signal.who.kind)
                        $0.member("id", String?.none)
                        $0.member("name", String?.none)
                    }
                }
            }
            text.member("state", signal.state.rawValue)
            if let version = signal.version { text.member("version", Int(version)) }
        }
    }

    /// A mark in the stream: `live` or `reset`, with the newest event's id.
    package static func mark(_ type: String, head: EventID) -> [UInt8] {
        JSONWriter.object(capacity: 64) {
            $0.member("type", type)
            $0.member("head", head.text)
        }
    }
}

extension JSONWriter {
    /// Writes what an event of ours says to the business side.
    fileprivate mutating func data(of event: Event, _ authorNames: AuthorNames) {
        switch event.body {
        case .message(let message):
            member("message") { $0.message(message, authorNames) }
            if let conversation = event.conversation {
                member("conversationState") { $0.conversation(conversation, authorNames) }
            }
            if let code = message.facts.entryCode {
                member("entry") { $0.object { $0.member("code", code) } }
            }
        case .conversation(let step):
            if let conversation = event.conversation {
                member("conversation") { $0.conversation(conversation, authorNames) }
            }
            member("by") { $0.author(step.author, authorNames) }
            if let change = step.change {
                member("change") { $0.change(change, authorNames) }
            }
        case .note(let note): member("note") { $0.note(note, authorNames) }
        case .json: break
        }
    }

    /// Writes which message was erased, of an event's data; the customer does not learn by whom.
    fileprivate mutating func erasure(_ data: [UInt8]) {
        // Safe: our own data is JSON.
        guard let root = try? JSONDocument(parsing: data).root,
            let message = root["message"]?.string, let sequence = root["sequence"]?.int
        else { return }
        member("message", message)
        member("sequence", sequence)
    }
}
