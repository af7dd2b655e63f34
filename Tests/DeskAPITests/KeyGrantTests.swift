import APITestSupport
import DeskBroker
import DeskHTTP
import DeskJSON
import DeskModel
import DeskStore
import Testing

@testable import DeskAPI

/// A key may act for those businesses whose owners let it, as long as they do.
struct KeyGrantTests {
    /// Two live businesses of Ada's, the second of Eve's too, and a key of Ada's over both.
    private struct Scene {
        let server: TestServer
        let first, second: Business
        let ada, eve, key: TestServer.Caller
        let id: String

        init() async throws {
            server = try await TestServer()
            ada = try await server.makeOwner()
            let made = try await server.post("/api/businesses", #"{"name":"Kiosk"}"#, by: ada)
            first = server.other
            let name = try #require(made["id"]?.string.flatMap { BusinessID($0) })
            second = try #require(try await server.store.findBusiness(name))
            eve = try await server.makeMember("eve@example.com", .owner, of: second, by: ada)
            let key = try await server.post(
                "/api/keys", #"{"name":"till","businesses":["\#(first.id)","\#(second.id)"]}"#,
                by: ada)
            #expect(key.status == 201)
            self.key = .key(try #require(key["secret"]?.string))
            id = try #require(key["key"]?["id"]?.string)
        }

        func businesses() async throws -> Int {
            let answer = try await server.get("/api/businesses", by: key)
            return answer.status == 200 ? answer["data"]?.count ?? -1 : -answer.status
        }

        func path(_ business: Business, _ rest: String) -> String {
            "/api/businesses/\(business.id)/\(rest)"
        }
    }

    @Test func `removing a key's maker ends the key in that business, and there alone`()
        async throws
    {
        let scene = try await Scene()
        let ada = try await scene.server.agentID(of: scene.ada)
        #expect(try await scene.businesses() == 2)
        let removed = try await scene.server.send(
            .delete, scene.path(scene.second, "members/\(ada)"), by: scene.eve)
        #expect(removed.status == 204)
        #expect(try await scene.businesses() == 1)
        #expect(
            try await scene.server.get(
                "/api/conversations?business=\(scene.second.id)", by: scene.key
            ).status == 404)
        #expect(
            try await scene.server.get(scene.path(scene.second, "keys"), by: scene.eve)["data"]?
                .count == 0)
    }

    @Test func `one more key than a business may have is refused with what to do`() async throws {
        let scene = try await Scene()
        let ids = (2...APIKey.most).map { KeyID(UniqueID(high: 0xF00, low: UInt64($0))) }
        for id in ids {
            let isAdded = try await scene.server.store.add(
                APIKey(
                    id: id, name: "k", secret: .sha256(Array(id.text.utf8)), mode: scene.first.mode,
                    businesses: [scene.first.id], createdAt: scene.server.services.time.now()),
                author: .server, permitted: [])
            #expect(isAdded)
        }
        func make() async throws -> Answer {
            try await scene.server.post(
                "/api/keys", #"{"name":"one more","businesses":["\#(scene.first.id)"]}"#,
                by: scene.ada)
        }
        let refused = try await make()
        #expect(refused.status == 422)
        #expect(refused["detail"]?.string?.contains("200 keys in force already: revoke") == true)
        let replaced = try await scene.server.post(
            "/api/keys/\(scene.id)/replacement", "{}", by: scene.ada)
        #expect(replaced.status == 201, "\(replaced.text)")
        // Its successor stays, so another one would be one more.
        let again = try await scene.server.post(
            "/api/keys/\(scene.id)/replacement", "{}", by: scene.ada)
        #expect(again.status == 422)
        #expect(again["detail"]?.string?.contains("Replace the successor instead") == true)
        let revoked = try await scene.server.send(
            .delete, "/api/keys/\(ids[0].text)", by: scene.ada)
        #expect(revoked.status == 204)
        // With the overlap of the replaced one there are still 200.
        #expect(try await make().status == 422)
        let second = try await scene.server.send(
            .delete, "/api/keys/\(ids[1].text)", by: scene.ada)
        #expect(second.status == 204)
        #expect(try await make().status == 201)
    }

    @Test func `a list has what was revoked in the last 90 days, and all where that is asked for`()
        async throws
    {
        let scene = try await Scene()
        let revoked = try await scene.server.send(
            .delete, "/api/keys/\(scene.id)", by: scene.ada)
        #expect(revoked.status == 204)
        for path in ["/api/keys", scene.path(scene.first, "keys")] {
            let listed = try await scene.server.get(path, by: scene.ada)["data"]
            #expect(listed?[0]?["id"]?.string == scene.id)
            #expect(listed?[0]?["revokedAt"]?.string != nil)
        }
        scene.server.time.advance(by: .seconds(86_400 * (APIKey.revokedDays + 1)))
        // The session of before has ended by then.
        let key = try await scene.server.store.keys(
            of: scene.first.id,
            revokedSince: APIKey.revokedSince(scene.server.services.time.now()))
        #expect(key.isEmpty)
        #expect(try await scene.server.store.keys().map(\.id.text) == [scene.id])
    }

    @Test func `a list of keys knows two words for what was revoked`() async throws {
        let scene = try await Scene()
        let path = "/api/keys?filter%5Brevoked%5D="
        #expect(try await scene.server.get(path + "include", by: scene.ada)["data"]?.count == 1)
        let refused = try await scene.server.get(path + "all", by: scene.ada)
        #expect(refused.status == 422)
        #expect(refused.text.contains("recent, include"))
    }

    @Test func `each owner sees and ends what concerns the own business`() async throws {
        let scene = try await Scene()
        let list = try await scene.server.get(scene.path(scene.second, "keys"), by: scene.eve)
        #expect(list["data"]?.count == 1)
        #expect(list["data"]?[0]?["grants"]?[0]?["byName"]?.string == "Ada")
        // The other business is none of Eve's.
        #expect(!list.text.contains(scene.first.id.text))
        let own = try await scene.server.get("/api/keys", by: scene.eve)
        #expect(own["data"]?.count == 1)
        #expect(!own.text.contains(scene.first.id.text))
        let foreign = scene.path(scene.first, "keys/\(scene.id)")
        #expect(try await scene.server.send(.delete, foreign, by: scene.eve).status == 404)
        let path = scene.path(scene.second, "keys/\(scene.id)")
        #expect(try await scene.server.send(.delete, path, by: scene.eve).status == 204)
        #expect(try await scene.server.send(.delete, path, by: scene.eve).status == 404)
        #expect(try await scene.businesses() == 1)
        let last = try await scene.server.send(
            .delete, scene.path(scene.first, "keys/\(scene.id)"), by: scene.ada)
        #expect(last.status == 204)
        // Without a grant it is no key.
        #expect(try await scene.businesses() == -401)
    }

    @Test func `revoking a key ends it for one's own businesses and leaves the others`()
        async throws
    {
        let scene = try await Scene()
        let revoked = try await scene.server.send(.delete, "/api/keys/\(scene.id)", by: scene.eve)
        #expect(revoked.status == 204)
        #expect(try await scene.businesses() == 1)
        let whole = try await scene.server.send(.delete, "/api/keys/\(scene.id)", by: scene.ada)
        #expect(whole.status == 204)
        #expect(try await scene.businesses() == -401)
    }

    @Test func `an owner who confirms a grant keeps the key when its maker leaves`() async throws {
        let scene = try await Scene()
        let path = scene.path(scene.second, "keys/\(scene.id)")
        #expect(try await scene.server.send(.put, path, by: scene.eve).status == 204)
        let ada = try await scene.server.agentID(of: scene.ada)
        let changed = try await scene.server.send(
            .patch, scene.path(scene.second, "members/\(ada)"), #"{"role":"agent"}"#,
            by: scene.eve)
        #expect(changed.status == 200)
        #expect(try await scene.businesses() == 2)
        let list = try await scene.server.get(scene.path(scene.second, "keys"), by: scene.eve)
        #expect(list["data"]?[0]?["grants"]?[0]?["byName"]?.string == "Ben")
    }
}
