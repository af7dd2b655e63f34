import DeskBroker
import DeskBytes
import DeskHTTP
import DeskJSON
import DeskLinks
import DeskModel
import DeskStore
import GatewayTestSupport
import TestSupport
import Testing

@testable import DeskGateway

/// A second server over one store, which knows what the first one gave out: another node, or the next
/// start.
@Suite struct SecondNodeTests {
    /// What another process over the same store would put together.
    private static func second(_ first: TestGateway) async throws -> GatewayParts {
        let links = LoadedLinks(store: first.store)
        try await links.load()
        return try await GatewayParts(
            broker: first.parts.broker, links: links, rulebook: TestFiles.rulebook,
            blobs: first.parts.blobs, client: first.client, origin: TestGateway.origin,
            watch: first.watch, rate: Rate(perSecond: 1e6, burst: 1e6),
            keepsUnnamed: .seconds(86_400), secrets: SharedSecrets(of: first.store),
            time: first.parts.time)
    }

    private static func ask(
        _ parts: GatewayParts, _ method: DeskHTTP.Method, _ target: String,
        _ body: [UInt8] = [], headers: HeaderFields = [:]
    ) async throws -> Response {
        await GatewayHandler(parts).respond(
            to: try Request(method: method, target: target, headers: headers, body: body))
    }

    @Test func `an upload address of one node is good at the other until it expires, and once`()
        async throws
    {
        let first = try await TestGateway()
        let second = try await Self.second(first)
        for isLate in [false, true] {
            let place = try await first.askJSON(.get, "/v1/preUpload", ["size": "4"])
            let address = try #require(place["upload-url"]?.string)
            let path = String(address.dropFirst(TestGateway.origin.count))
            if isLate { first.clock.advance(by: .seconds(SignedAddress.uploadSeconds + 1)) }
            let answer = try await Self.ask(second, .post, path, [1, 2, 3, 4])
            #expect(answer.status.code == (isLate ? 404 : 200))
            let again = try await Self.ask(first.parts, .post, path, [1, 2, 3, 4])
            #expect(again.status.code == (isLate ? 404 : 403))
        }
    }
}
