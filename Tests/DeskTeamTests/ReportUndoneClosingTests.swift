import DeskBroker
import DeskModel
import DeskStore
import DeskStoreSQLite
import StoreSupport
import TestSupport
import Testing

@testable import DeskTeam

/// What reports count of customers who wait again because a closing was undone.
struct ReportUndoneClosingTests {
    private static let shop = Story.shop
    private static let agent = Story.agents[0]
    private static let talk = ConversationID(UniqueID(high: 3, low: 1))

    private static func at(_ seconds: Int) -> Timestamp {
        Story.dawn.advanced(by: .seconds(seconds))
    }

    private static func message(_ seconds: Int, _ direction: Direction) throws -> [Write] {
        guard let name = MessageID("m\(seconds)") else { throw Unexpected("a name") }
        return [
            .message(
                NewMessage(
                    Submission(
                        conversation: talk, id: name, payload: Array("{}".utf8),
                        facts: MessageFacts(
                            direction: direction, kind: .text,
                            author: direction == .inbound
                                ? .customer(device: "d") : .agent(agent),
                            origin: direction == .inbound ? .phone : .console, summary: "s")),
                    at: at(seconds)))
        ]
    }

    private static func change(_ seconds: Int, _ change: ConversationChange) -> [Write] {
        [.change(ChangeConversation(talk, change, by: .agent(agent), at: at(seconds)))]
    }

    /// The total of a story that begins with a customer's message at 0.
    private static func total(_ story: [[Write]]) async throws -> ReportCounts {
        let store = try SQLiteStore(inMemory: Epoch(0xE))
        try await store.save(
            Business(id: shop, name: "S", colour: "#000000", mode: .test, createdAt: Story.dawn),
            author: .server)
        guard let customer = CustomerID("urn:mbid:AAA1=") else { throw Unexpected("a name") }
        let open = OpenConversation(
            talk, business: shop, customer: Customer(id: customer), at: at(0))
        for group in [[.open(open)] + (try message(0, .inbound))] + story {
            for refusal in try await store.append([group]) where refusal != nil {
                throw Unexpected("\(String(describing: refusal))")
            }
        }
        let runner = ReaderRunner(
            ReportReader(store), of: Broker(store: store, now: { Story.dawn }))
        _ = try await runner.readOn(under: try await store.leaseOfTest())
        let slots = try await store.reportSlots(
            of: shop, .total, "", from: at(-900), until: at(900))
        await store.close()
        return slots.reduce(into: ReportCounts()) { $0 += $1.counts }
    }

    @Test func `who waited for the first answer waits for it since the same moment`() async throws {
        let total = try await Self.total([
            Self.change(60, .close), Self.change(90, .undoClose(.open, until: nil)),
            Self.message(120, .outbound),
        ])
        #expect(total.answers == 1 && total.answerMilliseconds == 120_000)
        #expect(total.waits == 1 && total.waitMilliseconds == 120_000)
    }

    @Test func `who had the first answer waits for a further one since the same moment`()
        async throws
    {
        let total = try await Self.total([
            Self.message(30, .outbound), Self.message(40, .inbound), Self.change(60, .close),
            Self.change(90, .undoClose(.open, until: nil)), Self.message(120, .outbound),
        ])
        #expect(total.answers == 1 && total.answerMilliseconds == 30_000)
        #expect(total.waits == 2 && total.waitMilliseconds == 30_000 + 80_000)
    }

    @Test func `after a plain reopening no customer waits`() async throws {
        let total = try await Self.total([
            Self.change(60, .close), Self.change(90, .reopen), Self.message(120, .outbound),
        ])
        #expect(total.answers == 0 && total.waits == 0)
        #expect(total.begun == 2 && total.closed == 1)
    }
}
