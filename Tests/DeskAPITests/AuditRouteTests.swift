import APITestSupport
import DeskHTTP
import DeskJSON
import DeskModel
import DeskStore
import Testing

@testable import DeskAPI

/// Who changed what of a business, as owners and programs read it.
struct AuditRouteTests {
    private static func kinds(_ answer: Answer) -> [String] {
        (0..<(answer["data"]?.count ?? 0)).compactMap { answer["data"]?[$0]?["kind"]?.string }
    }

    @Test func `owners read who changed what, with the names of people and things`() async throws {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let agent = try await server.makeMember(
            "ben@example.com", .agent, of: server.business, by: owner)
        let shop = "/api/businesses/\(server.business.id)"
        let label = try await server.post(
            shop + "/labels", ##"{"name":"VIP","colour":"#CC0000"}"##, by: owner)
        let page = try await server.get(shop + "/audit", by: owner)
        #expect(page.status == 200)
        let newest = page["data"]?[0]
        #expect(newest?["kind"]?.string == "label_saved")
        #expect(newest?["author"]?["type"]?.string == "agent")
        #expect(newest?["author"]?["name"]?.string == "Ada")
        #expect(newest?["subject"]?["id"]?.string == label["id"]?.string)
        #expect(newest?["subject"]?["name"]?.string == "VIP")
        #expect(newest?["detail"]?.isNull == true)
        let kinds = Self.kinds(page)
        for kind in ["invitation_accepted", "invitation_added", "session_begun"] {
            #expect(kinds.contains(kind), "\(kind)")
        }
        let signIn = try #require(
            (0..<(page["data"]?.count ?? 0)).compactMap { page["data"]?[$0] }
                .first { $0["kind"]?.string == "session_begun" })
        #expect(signIn["subject"]?["name"]?.string == "Ben")
        #expect(try await server.get(shop + "/audit", by: agent).code == "forbidden")
    }

    @Test func `keys read it with the scope of administration alone, page by page`() async throws {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let reader = try await server.makeKey([server.business], scopes: .administration)
        let other = try await server.makeKey([server.business], scopes: .read)
        let shop = "/api/businesses/\(server.business.id)"
        #expect(try await server.get(shop + "/audit", by: other).code == "missing_scope")
        for number in 1...3 {
            _ = try await server.post(
                shop + "/labels", ##"{"name":"L\##(number)","colour":"#CC0000"}"##, by: owner)
        }
        let path = shop + "/audit?filter%5Bkind%5D=label_saved&page%5Bsize%5D=2"
        let first = try await server.get(path, by: reader)
        #expect(first["data"]?.count == 2 && first["hasMore"]?.bool == true)
        let next = try #require(first["next"]?.string)
        let second = try await server.get(path + "&page%5Bafter%5D=\(next)", by: reader)
        #expect(second["data"]?.count == 1 && second["hasMore"]?.bool == false)
        #expect(second["data"]?[0]?["subject"]?["name"]?.string == "L1")
        let author = try #require(first["data"]?[0]?["author"]?["id"]?.string)
        let own = try await server.get(
            shop + "/audit?filter%5Bauthor%5D=\(author)&filter%5Bkind%5D=label_saved", by: reader)
        #expect(own["data"]?.count == 3)
    }

    @Test func `a webhook endpoint is named by its host, and never by its path`() async throws {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let shop = "/api/businesses/\(server.business.id)"
        let made = try await server.post(
            shop + "/webhooks",
            #"{"url":"https://hooks.example.com/in/secret","types":["message.accepted"]}"#,
            by: owner)
        #expect(made.status == 201)
        let page = try await server.get(
            shop + "/audit?filter%5Bkind%5D=webhook_saved", by: owner)
        #expect(page["data"]?[0]?["subject"]?["name"]?.string == "hooks.example.com")
        #expect(!page.text.contains("secret"))
    }

    @Test func `a span has its records and no others`() async throws {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let path = "/api/businesses/\(server.business.id)/audit"
        let newest = try #require(try await server.get(path, by: owner)["data"]?[0])
        let number = newest["number"]?.int
        let time = try #require(newest["time"]?.string)
        let since = try await server.get("\(path)?filter%5Bsince%5D=\(time)", by: owner)
        #expect(since["data"]?[0]?["number"]?.int == number)
        let until = try await server.get("\(path)?filter%5Buntil%5D=\(time)", by: owner)
        #expect(until.status == 200 && until["data"]?[0]?["number"]?.int != number)
        server.time.advance(by: .seconds(1))
        let later = try await server.get(
            "\(path)?filter%5Bsince%5D=\(server.time.now.text)", by: owner)
        #expect(later.status == 200 && later["data"]?.count == 0)
    }

    @Test(arguments: [
        "filter%5Bkind%5D=", "filter%5Bsince%5D=soon", "filter%5Bkin%5D=a", "page%5Bsize%5D=101",
        "page%5Bafter%5D=x", "filter%5Bsince%5D=2026-02-01&filter%5Buntil%5D=2026-01-01",
    ])
    func `a query that means nothing is refused`(query: String) async throws {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let answer = try await server.get(
            "/api/businesses/\(server.business.id)/audit?\(query)", by: owner)
        #expect([400, 422].contains(answer.status))
    }

    @Test func `an export is recorded with who asked for it`() async throws {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let shop = "/api/businesses/\(server.business.id)"
        #expect(try await server.get(shop + "/exports/messages", by: owner).status == 200)
        let page = try await server.get(shop + "/audit", by: owner)
        #expect(page["data"]?[0]?["kind"]?.string == "history_exported")
        #expect(page["data"]?[0]?["subject"]?["id"]?.string == "messages")
        #expect(page["data"]?[0]?["author"]?["name"]?.string == "Ada")
    }
}
