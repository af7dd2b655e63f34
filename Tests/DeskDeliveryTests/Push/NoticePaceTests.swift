import DeskModel
import Testing

@testable import DeskDelivery

/// How often an agent is notified.
struct NoticePaceTests {
    private let ada = AgentID(UniqueID(high: 1, low: 1))
    private let ben = AgentID(UniqueID(high: 1, low: 2))
    private let start = ContinuousClock.now

    @Test func `ten in a minute are each sent, then one says that there are more, then none`() {
        let pace = NoticePace()
        let steps = (0..<13).map { _ in pace.next(for: ada, at: start) }
        #expect(
            steps == Array(repeating: .each, count: PushBounds.mostNotices)
                + [.several, .nothing, .nothing])
        #expect(pace.next(for: ben, at: start) == .each)
        #expect(pace.next(for: ada, at: start.advanced(by: .seconds(59))) == .nothing)
        #expect(pace.next(for: ada, at: start.advanced(by: .seconds(60))) == .each)
    }
}
