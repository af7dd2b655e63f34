import DeskBroker
import DeskModel
import DeskStore
import DeskStoreSQLite
import StoreSupport
import Synchronization
import TestSupport

/// A business whose conversations go on at random, and what a report of it has to say.
final class Story: Sendable {
    static let shop = BusinessID(UniqueID(high: 1, low: 1))
    static let dawn = Timestamp(seconds: 1_800_000_000)
    static let agents = (1...3).map { AgentID(UniqueID(high: 2, low: UInt64($0))) }

    /// What is known of a conversation by the one who wrote into it.
    private struct Talk {
        let id: ConversationID
        var begun: Timestamp?
        var asked: Timestamp?
        var waits: Timestamp?
        var isAnswered = false
        var cards: [(id: MessageID, kind: MessageKind, isAnswered: Bool)] = []
    }

    private struct State {
        var random: SeededRandom
        var time = Story.dawn
        var messages = 0
        var talks: [Talk] = []
        var expected = ReportCounts()
        var byAgent: [AgentID: ReportCounts] = [:]
    }

    let store: SQLiteStore
    private let state: Mutex<State>

    init(_ store: SQLiteStore, seed: UInt64) async throws {
        self.store = store
        state = Mutex(State(random: SeededRandom(seed: seed)))
        try await store.save(
            Business(
                id: Self.shop, name: "S", colour: "#000000", mode: .test, createdAt: Self.dawn),
            author: .server)
    }

    /// What happened, counted as it was made to happen.
    var expected: ReportCounts { state.withLock { $0.expected } }

    /// What each agent did.
    var byAgent: [AgentID: ReportCounts] { state.withLock { $0.byAgent } }

    /// Lets one thing more happen.
    func goOn() async throws {
        let steps = try state.withLock { try Self.next(&$0) }
        for refusal in try await store.append([steps]) where refusal != nil {
            throw Unexpected("\(String(describing: refusal))")
        }
    }

    private static func next(_ state: inout State) throws -> [Write] {
        state.time = state.time.advanced(
            by: .seconds(Int64.random(in: 1...400, using: &state.random)))
        guard let place = state.talks.indices.randomElement(using: &state.random),
            Int.random(in: 0..<10, using: &state.random) > 0
        else { return try begin(&state) }
        switch Int.random(in: 0..<8, using: &state.random) {
        case 0...2: return [try receive(place, &state)]
        case 3...4: return [try send(.text, place, &state)]
        case 5:
            let kinds: [MessageKind] = [.list, .payment, .richLink]
            return [try send(kinds.randomElement(using: &state.random) ?? .list, place, &state)]
        case 6: return [try answer(place, &state)]
        default: return close(place, &state)
        }
    }

    private static func begin(_ state: inout State) throws -> [Write] {
        let number = state.talks.count + 1
        let id = ConversationID(UniqueID(high: 3, low: UInt64(number)))
        guard let name = CustomerID("urn:mbid:AAA\(number)=") else { throw Unexpected("customer") }
        state.talks.append(Talk(id: id))
        let opening = OpenConversation(
            id, business: shop, customer: Customer(id: name), at: state.time)
        return [.open(opening), try receive(state.talks.count - 1, &state)]
    }

    private static func receive(
        _ place: Int, _ state: inout State, _ kind: MessageKind = .text,
        payload: String = #"{"intent":"order"}"#, to card: MessageID? = nil
    ) throws -> Write {
        let time = state.time
        state.expected.received += 1
        if state.talks[place].begun == nil {
            state.expected.begun += 1
            state.talks[place].begun = time
            state.talks[place].isAnswered = false
        }
        if !state.talks[place].isAnswered, state.talks[place].asked == nil {
            state.talks[place].asked = time
        }
        state.talks[place].waits = state.talks[place].waits ?? time
        return try message(
            place, &state, payload,
            MessageFacts(
                direction: .inbound, kind: kind, author: .customer(device: "d"), origin: .phone,
                inReplyTo: card, summary: "s"))
    }

    private static func send(
        _ kind: MessageKind, _ place: Int, _ state: inout State
    ) throws -> Write {
        let time = state.time
        let agent = agents.randomElement(using: &state.random) ?? agents[0]
        var done = ReportCounts()
        done.sent = 1
        if let since = state.talks[place].waits {
            done.addWait(of: time.milliseconds - since.milliseconds)
            state.talks[place].waits = nil
        }
        if let since = state.talks[place].asked {
            done.addAnswer(after: time.milliseconds - since.milliseconds)
            state.talks[place].asked = nil
            state.talks[place].isAnswered = true
        }
        let isCard = kind == .list || kind == .payment
        if isCard { done.cards = 1 }
        state.expected += done
        state.byAgent[agent, default: ReportCounts()] += done
        let write = try message(
            place, &state, "{}",
            MessageFacts(
                direction: .outbound, kind: kind, author: .agent(agent), origin: .console,
                summary: "s"))
        if isCard, let id = MessageID("m\(state.messages)") {
            state.talks[place].cards.append((id, kind, false))
        }
        return write
    }

    private static func answer(_ place: Int, _ state: inout State) throws -> Write {
        guard let card = state.talks[place].cards.popLast() else {
            return try receive(place, &state)
        }
        if !card.isAnswered { state.expected.cardsAnswered += 1 }
        let isPaid = card.kind == .payment && Bool.random(using: &state.random)
        if isPaid {
            state.expected.cardsPaid += 1
        } else {
            // Tried again later: it is answered already, and may still be paid.
            state.talks[place].cards.append((card.id, card.kind, true))
        }
        let outcome = isPaid ? "success" : "failure"
        return try receive(
            place, &state, card.kind,
            payload: #"{"interactiveData":{"data":{"payment":{"state":"\#(outcome)"}}}}"#,
            to: card.id)
    }

    private static func close(_ place: Int, _ state: inout State) -> [Write] {
        let agent = agents.randomElement(using: &state.random) ?? agents[0]
        if let begun = state.talks[place].begun {
            var done = ReportCounts()
            done.addClose(after: state.time.milliseconds - begun.milliseconds)
            state.expected += done
            state.byAgent[agent, default: ReportCounts()] += done
            state.talks[place].begun = nil
            state.talks[place].asked = nil
            state.talks[place].waits = nil
        }
        let id = state.talks[place].id
        return [.change(ChangeConversation(id, .close, by: .agent(agent), at: state.time))]
    }

    private static func message(
        _ place: Int, _ state: inout State, _ payload: String, _ facts: MessageFacts
    ) throws -> Write {
        state.messages += 1
        guard let id = MessageID("m\(state.messages)") else { throw Unexpected("message id") }
        return .message(
            NewMessage(
                Submission(
                    conversation: state.talks[place].id, id: id, payload: Array(payload.utf8),
                    facts: facts), at: state.time))
    }
}

/// Everything that the counters of a business say.
struct Counted: Equatable {
    var slots: [ReportSlot] = []
    var members: [ReportDimension: [ReportMember]] = [:]
    var total = ReportCounts()

    init(_ store: any Store) async throws {
        let begin = Story.dawn.advanced(by: .seconds(-900))
        let end = Story.dawn.advanced(by: .seconds(86_400 * 400))
        slots = try await store.reportSlots(
            of: Story.shop, .total, "", from: begin, until: end)
        for slot in slots { total += slot.counts }
        for dimension in ReportDimension.allCases {
            members[dimension] = try await store.reportMembers(
                of: Story.shop, dimension, from: begin, until: end, limit: 500)
        }
    }
}
