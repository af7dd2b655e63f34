import DeskHTTP
import DeskModel
import TestSupport
import Testing

@testable import DeskWeb

struct RateBucketTests {
    private struct Budget: Sendable {
        let subject: RateSubject
        let perSecond: Int
        let burst: Int
    }

    private static let conversation = ConversationID(UniqueID(high: 0x4000, low: 1 << 63))
    private static let budgets: [Budget] = {
        let address = RateSubject.address(ClientNetwork("192.0.2.7"))
        let id = UniqueID(high: 0x4000, low: 1 << 63)
        return [
            Budget(subject: .agent(AgentID(id)), perSecond: 5, burst: 50),
            Budget(subject: .key(KeyID(id)), perSecond: 50, burst: 200),
            Budget(subject: .customer(conversation), perSecond: 1, burst: 10),
            Budget(subject: .settings(conversation), perSecond: 1, burst: 10),
            Budget(subject: .validation(address), perSecond: 20, burst: 100),
            Budget(subject: .search(address), perSecond: 5, burst: 30),
            Budget(subject: address, perSecond: 10, burst: 100),
        ]
    }()

    @Test(arguments: budgets.indices)
    func `a budget gives its burst, then its rate, and not one more`(row: Int) {
        let budget = Self.budgets[row]
        let time = TestTime()
        let buckets = RateBuckets(
            limits: WebLimits(), time: time.source, counters: LocalCounters())
        for count in [budget.burst, budget.perSecond] {
            for _ in 0..<count { #expect(!buckets.take(1, from: budget.subject).isRefused) }
            #expect(buckets.take(1, from: budget.subject).isRefused)
            time.advance(by: .seconds(1))
        }
    }
}
