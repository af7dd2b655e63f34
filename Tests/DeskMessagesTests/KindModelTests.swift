import DeskModel
import Testing

@testable import DeskMessages

/// The models of the kinds fit each other, the schemas and the protocol's enumerations.
struct KindModelTests {
    @Test func `every kind has its own model, and each is in the list once`() {
        #expect(MessageKind.allCases.allSatisfy { $0.model.kind == $0 })
        #expect(KindModel.all.count == MessageKind.allCases.count)
        #expect(Set(KindModel.all.map(\.kind)) == Set(MessageKind.allCases))
    }

    @Test func `a key of a feature, current or mistaken, names one kind only`() {
        let features = KindModel.all.compactMap(\.feature)
        let keys = features.flatMap { [$0.key.description] + $0.mistakenKeys }
        #expect(keys.count > features.count)
        #expect(Set(keys).count == keys.count)
        #expect(features.allSatisfy { $0.keysReadInbound.isSubset(of: $0.mistakenKeys) })
    }

    @Test(arguments: Direction.allCases)
    func `every schema of a message belongs to a kind or a signal`(_ direction: Direction) {
        let signals: [PayloadKind] = [.typingStart, .typingEnd, .close]
        let kinds = MessageKind.allCases.map { PayloadKind.message($0) } + signals
        let named = Set(kinds.compactMap { Rulebook.schemaName(of: $0, direction) })
        let folder = "\(direction.rawValue)/"
        // message.json leads editors to the others; the rulebook never reads it.
        let files = Corpus.schemas.map(\.name).filter {
            $0.hasPrefix(folder) && $0 != folder + "message.json"
        }
        #expect(files.count > 5)
        #expect(Set(files) == named)
    }

    @Test func `what is offered to pick has an answer's schema`() {
        let pickable = KindModel.all.filter { $0.picking != nil }
        #expect(!pickable.isEmpty)
        #expect(pickable.allSatisfy { $0.schemas.inbound != nil && $0.feature != nil })
    }
}
