import DeskModel
import Testing

@testable import DeskGateway

@Suite struct LinkTypingStateTests {
    private let link = GatewayLinkID(UniqueID(high: 3, low: 1))
    private let begin = ContinuousClock.now

    private func talk(_ number: Int) -> ConversationID {
        ConversationID(UniqueID(high: 2, low: UInt64(number)))
    }

    @Test func `writing is news once, and again after it ended or was silent for a minute`() {
        let book = LinkTypingState()
        #expect(book.begin(talk(1), over: link, at: begin))
        #expect(!book.begin(talk(1), over: link, at: begin + .seconds(59)))
        #expect(!book.begin(talk(1), over: link, at: begin + .seconds(100)))
        #expect(book.begin(talk(1), over: link, at: begin + .seconds(160)))
        #expect(book.end(talk(1), over: link))
        #expect(!book.end(talk(1), over: link))
        #expect(book.begin(talk(1), over: link, at: begin + .seconds(161)))
    }

    @Test func `at the limit no more is signalled, until typing that fell silent makes room`() {
        let book = LinkTypingState()
        for number in 1...LinkTypingState.most {
            #expect(book.begin(talk(number), over: link, at: begin))
        }
        #expect(!book.begin(talk(0), over: link, at: begin + .seconds(59)))
        #expect(book.begin(talk(0), over: link, at: begin + .seconds(60)))
    }
}
