import DeskJSON
package import DeskModel
import DeskTeam

/// What is pushed to agents' browsers.
enum AgentPushText {
    /// How long a push service keeps what soon concerns others as well, in seconds: who waits is answered by a colleague.
    static let shortSeconds = 3_600

    /// How long a push service keeps a notification for a device that is off, in seconds.
    static func keptSeconds(of reason: NoticeReason) -> Int {
        switch reason {
        case .unassigned: shortSeconds
        case .assigned, .mine, .mention, .handed, .moved, .closed, .reopened, .renamed,
            .participants:
            86_400
        }
    }

    static func notice(
        _ notice: AgentNotice, _ event: EventID, of business: String, _ isSilent: Bool
    ) -> [UInt8] {
        JSONWriter.object { text in
            text.member("conversation", notice.conversation.text)
            text.member("event", event.text)
            text.member("reason", notice.reason.rawValue)
            text.member("business", business)
            text.member("isSilent", isSilent)
        }
    }

    /// A notification of no conversation: `several`, or `test`.
    static func word(_ reason: String, _ isSilent: Bool) -> [UInt8] {
        JSONWriter.object { text in
            text.member("reason", reason)
            text.member("isSilent", isSilent)
        }
    }
}

extension PushSender {
    /// Sends a message to an agent's browser by which it shows that notifications arrive.
    package func sendTest(to subscription: PushSubscription) async {
        await send([
            PushMessage(
                subscription: subscription, subject: "test",
                payload: AgentPushText.word("test", false), keptSeconds: 60)
        ])
    }
}
