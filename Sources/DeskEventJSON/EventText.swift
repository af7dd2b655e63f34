package import DeskBroker
import DeskJSON
package import DeskModel

/// The one line of JSON that an event is in streams.
package enum EventText {
    /// An event as the business side sees it.
    package static func business(_ event: Event, _ authorNames: AuthorNames) -> [UInt8] {
        text(of: event, revision: event.revision) { text in
            switch event.body {
            case .message(let message):
                text.member("message") { $0.message(message, authorNames) }
                if let conversation = event.conversation {
                    text.member("conversationState") { $0.conversation(conversation, authorNames) }
                }
                if let code = message.facts.entryCode {
                    text.member("entry") { $0.object { $0.member("code", code) } }
                }
            case .conversation(let step):
                if let conversation = event.conversation {
                    text.member("conversation") { $0.conversation(conversation, authorNames) }
                }
                text.member("by") { $0.author(step.author, authorNames) }
                if let change = step.change {
                    text.member("change") { $0.change(change, authorNames) }
                }
            case .note(let note): text.member("note") { $0.note(note, authorNames) }
            case .json: break
            }
        }
    }

    /// An event as the customer side sees it.
    package static func customer(_ event: Event) -> [UInt8] {
        // The customer does not learn of events beside the messages, nor of their number.
        text(of: event, revision: nil) { text in
            guard case .message(let message) = event.body else { return }
            text.member("message") { $0.customerMessage(message) }
        }
    }

    private static func text(
        of event: Event, revision: Revision?, data: (inout JSONWriter) -> Void
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
            if case .json(let bytes) = event.body {
                text.member("data", raw: bytes)
            } else {
                text.member("data") { $0.object(data) }
            }
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
            text.member("conversation", signal.conversation.text)
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
