import DeskModel
import Synchronization

/// Up to which message WhatsApp has a read mark, and when it last had a sign of typing.
final class LinkReadState: Sendable {
    private struct Spot: Hashable {
        let link: GatewayLinkID
        let conversation: ConversationID
    }

    private struct Mark {
        var read: SequenceNumber
        var typing: ContinuousClock.Instant?
    }

    /// Most conversations that are remembered; one more, and all are forgotten: a mark that is repeated does no harm.
    static let most = 10_000
    /// Time between two signs of typing: WhatsApp shows each for 25 seconds.
    static let pause = Duration.seconds(20)

    private let marks = Mutex<[Spot: Mark]>([:])

    /// Notes that a message was read; false when that is known.
    func read(
        _ sequence: SequenceNumber, in conversation: ConversationID, over link: GatewayLinkID
    ) -> Bool {
        marks.withLock { marks in
            let spot = Spot(link: link, conversation: conversation)
            if let known = marks[spot]?.read, known >= sequence { return false }
            Self.makeRoom(in: &marks)
            marks[spot, default: Mark(read: sequence)].read = sequence
            return true
        }
    }

    /// Notes that someone types, having read a message; false when that was signalled a moment ago.
    func type(
        _ sequence: SequenceNumber, in conversation: ConversationID, over link: GatewayLinkID,
        at now: ContinuousClock.Instant
    ) -> Bool {
        marks.withLock { marks in
            let spot = Spot(link: link, conversation: conversation)
            if let last = marks[spot]?.typing, last.duration(to: now) < Self.pause { return false }
            Self.makeRoom(in: &marks)
            let read = max(sequence, marks[spot]?.read ?? sequence)
            marks[spot] = Mark(read: read, typing: now)
            return true
        }
    }

    /// Notes that a message ended the typing: the next sign is signalled at once.
    func endTyping(in conversation: ConversationID, over link: GatewayLinkID) {
        marks.withLock { $0[Spot(link: link, conversation: conversation)]?.typing = nil }
    }

    private static func makeRoom(in marks: inout [Spot: Mark]) {
        if marks.count >= most { marks = [:] }
    }
}
