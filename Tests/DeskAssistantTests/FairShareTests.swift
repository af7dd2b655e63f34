import APITestSupport
import DeskModel
import Synchronization
import TestSupport
import Testing

@testable import DeskAssistant

/// No business keeps the others from the model.
struct FairShareTests {
    private static func business(_ number: UInt64) -> BusinessID {
        BusinessID(UniqueID(high: 1, low: number))
    }

    @Test(
        arguments: [
            // One alone has its half.
            ([1, 1, 1, 1, 1], [true, true, true, true, false]),
            // The more are at it, the fewer a busy one has; the last place is for one that has none.
            (
                [1, 1, 1, 1, 2, 2, 2, 3, 3, 4, 5],
                [true, true, true, true, true, true, false, true, false, true, false]
            ),
            ([1, 2, 3, 4, 5, 6, 7, 8, 9], Array(repeating: true, count: 8) + [false]),
        ] as [([UInt64], [Bool])])
    func `a business has at most half, and never what the others would begin with`(
        businesses: [UInt64], begins: [Bool]
    ) {
        var share = FairShare(of: 8, perBusiness: 4)
        #expect(businesses.map { share.begin(for: Self.business($0)) } == begins)
    }

    @Test func `what ended makes room again`() {
        var share = FairShare(of: 2, perBusiness: 1)
        for _ in 0..<3 {
            #expect(share.begin(for: Self.business(1)) && share.begin(for: Self.business(2)))
            #expect(!share.begin(for: Self.business(1)) && !share.begin(for: Self.business(3)))
            share.end(for: Self.business(1))
            share.end(for: Self.business(2))
        }
    }

    @Test func `a business that has its share is refused while another is answered`() async throws {
        let model = ScriptedModel(Array(repeating: .says("Tee."), count: 32))
        let assistant = Assistant(
            ChatCompletions(url: "http://m.example/v1", key: nil, model: "m", client: model),
            blanks: Set(Blanking.Kind.allCases), schemas: TestFiles.schemas,
            deadline: .seconds(60))
        let most = Assistant.maximumOfBusiness
        let asking = Array(repeating: Self.business(1), count: most + 1) + [Self.business(2)]
        let expected: [AssistantError.Code?] = Array(repeating: nil, count: most) + [.busy, nil]
        for _ in 0..<2 {
            let codes = await Self.ask(assistant, asking[...])
            #expect(codes == expected)
        }
    }

    /// Asks for each business while the requests of those before it are under way; nil for what was answered.
    private static func ask(
        _ assistant: Assistant, _ businesses: ArraySlice<BusinessID>
    ) async -> [AssistantError.Code?] {
        guard let first = businesses.first else { return [] }
        let rest = businesses.dropFirst()
        let later = Mutex<[AssistantError.Code?]?>(nil)
        do throws(AssistantError) {
            _ = try await assistant.translation(of: "Tea", to: "de", for: first) { _ in
                let codes = await ask(assistant, rest)
                later.withLock { $0 = codes }
            }
            return [nil] + (later.withLock { $0 } ?? [])
        } catch {
            return await [error.code] + ask(assistant, rest)
        }
    }
}
