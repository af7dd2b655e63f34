import APITestSupport
import DeskHTTP
import DeskJSON
import DeskModel
import Testing

/// Which labels an endpoint may wait for.
struct WebhookFilterTests {
    @Test func `a filter names labels of its business, retired ones too; others are findings`()
        async throws
    {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let kiosk = try await server.post("/api/businesses", #"{"name":"Kiosk"}"#, by: owner)
        let other = try #require(kiosk["id"]?.string)
        func label(_ name: String, in business: String) async throws -> String {
            let made = try await server.post(
                "/api/businesses/\(business)/labels", ##"{"name":"\##(name)","colour":"#336699"}"##,
                by: owner)
            return try #require(made["id"]?.string, "\(made.text)")
        }
        let own = try await label("Tea", in: server.business.id.text)
        let retired = try await label("Milk", in: server.business.id.text)
        let foreign = try await label("Salt", in: other)
        let mistyped = "6f2d1c5e-0000-4000-8000-000000000001"
        _ = try await server.send(
            .patch, "/api/businesses/\(server.business.id)/labels/\(retired)",
            #"{"retired":true}"#, by: owner)
        let path = "/api/businesses/\(server.business.id)/webhooks"
        func body(_ labels: [String]) -> String {
            let list = labels.map { "\"\($0)\"" }.joined(separator: ",")
            return #"{"url":"https://shop.example/hook","filter":{"labels":[\#(list)]}}"#
        }
        let wrong = [own, foreign, mistyped, "tea"]
        let refused = try await server.post(path, body(wrong), by: owner)
        #expect(refused.status == 422)
        func pointers(_ answer: Answer) -> [String?] {
            answer["errors"]?.elements.map { $0["pointer"]?.string } ?? []
        }
        let places = ["/filter/labels/1", "/filter/labels/2", "/filter/labels/3"]
        #expect(pointers(refused) == places)
        let made = try await server.post(path, body([own, retired]), by: owner)
        #expect(made.status == 201, "\(made.text)")
        let one = path + "/" + (try #require(made["id"]?.string))
        let changed = try await server.send(.patch, one, body(wrong), by: owner)
        #expect(changed.status == 422 && pointers(changed) == places)
        let kept = try await server.get(one, by: owner)["filter"]?["labels"]?.elements
        #expect(kept?.map(\.string) == [own, retired])
    }
}
