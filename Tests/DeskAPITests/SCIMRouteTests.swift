import APITestSupport
import DeskHTTP
import DeskJSON
import DeskModel
import DeskStore
import DeskWeb
import Testing

@testable import DeskAPI

/// What an identity provider does to the people and teams of a business by SCIM.
struct SCIMRouteTests {
    private static let user = "urn:ietf:params:scim:schemas:core:2.0:User"

    /// A server, the key of a provider, and an owner of its business.
    private struct Setting {
        let server: TestServer
        let key: TestServer.Caller
        let owner: TestServer.Caller
        var path: String { "/api/businesses/\(server.other.id)/scim/v2" }

        init(allowsProvisioning: Bool = true) async throws {
            server = try await TestServer(allowsProvisioning: allowsProvisioning)
            owner = try await server.makeOwner()
            key = try await server.makeKey([server.other], scopes: .people)
        }

        func send(
            _ method: DeskHTTP.Method, _ target: String, _ body: String = ""
        ) async throws -> Answer {
            try await server.send(
                method, path + target, body, by: key,
                headers: body.isEmpty ? [:] : ["Content-Type": "application/scim+json"])
        }

        /// Adds a person; the id.
        func add(_ members: String) async throws -> String {
            let made = try await send(.post, "/Users", "{\(members)}")
            #expect(made.status == 201, "\(made.text)")
            return try #require(made["id"]?.string)
        }

        func patch(_ target: String, _ operations: String) async throws -> Answer {
            try await send(
                .patch, target,
                #"{"schemas":["urn:ietf:params:scim:api:messages:2.0:PatchOp"],"Operations":[\#(operations)]}"#
            )
        }

        func role(of id: String) async throws -> String? {
            let list = try await server.get(
                "/api/businesses/\(server.other.id)/members", by: owner)
            return list["data"]?.elements.first { $0["id"]?.string == id }?["role"]?.string
        }
    }

    @Test func `a person who is added is a member, and one who is not active is none`() async throws
    {
        let setting = try await Setting()
        let id = try await setting.add(
            """
            "schemas":["\(Self.user)"],"userName":"Mia@Example.com","externalId":"x1",\
            "name":{"givenName":"Mia","familyName":"Berg"},"active":true,\
            "roles":[{"value":"supervisor","primary":true}]
            """)
        #expect(try await setting.role(of: id) == "supervisor")
        let read = try await setting.send(.get, "/Users/\(id)")
        #expect(read["displayName"]?.string == "Mia Berg")
        #expect(read["emails"]?[0]?["value"]?.string == "mia@example.com")
        #expect(read["userName"]?.string == "Mia@Example.com")
        #expect(read["externalId"]?.string == "x1")
        #expect(read["active"]?.bool == true)
        let location = read["meta"]?["location"]?.string
        #expect(location?.hasSuffix("\(setting.path)/Users/\(id)") == true)

        let left = try await setting.patch(
            "/Users/\(id)", #"{"op":"Replace","path":"active","value":"False"}"#)
        #expect(left.status == 200 && left["active"]?.bool == false)
        #expect(try await setting.role(of: id) == nil)
        #expect(try await setting.send(.get, "/Users/\(id)")["active"]?.bool == false)

        let back = try await setting.patch(
            "/Users/\(id)", #"{"op":"replace","value":{"active":true}}"#)
        #expect(back["active"]?.bool == true)
        #expect(try await setting.role(of: id) == "supervisor")

        #expect(try await setting.send(.delete, "/Users/\(id)").status == 204)
        #expect(try await setting.role(of: id) == nil)
        #expect(try await setting.send(.get, "/Users/\(id)").status == 404)
        #expect(try await setting.send(.delete, "/Users/\(id)").status == 404)
    }

    @Test func `an account that is there is used as it is, and one name is given once`()
        async throws
    {
        let setting = try await Setting()
        let id = try await setting.server.agentID(of: setting.owner).text
        let list = try await setting.send(.get, "/Users")
        #expect(list["totalResults"]?.int == 1)
        let email = try #require(list["Resources"]?[0]?["userName"]?.string)
        #expect(list["Resources"]?[0]?["id"]?.string == id)
        // The provider's name differs from the address: the member is found by it all the same.
        let added = try await setting.send(
            .post, "/Users",
            #"{"userName":"upn","emails":[{"value":"\#(email)","type":"work"}],"displayName":"Else","roles":[{"value":"agent"}]}"#
        )
        #expect(added.status == 201 && added["id"]?.string == id)
        #expect(added["roles"]?[0]?["value"]?.string == "owner")
        let again = try await setting.send(
            .post, "/Users", #"{"userName":"UPN","emails":[{"value":"a@example.com"}]}"#)
        #expect(again.status == 409 && again["scimType"]?.string == "uniqueness")
        #expect(again["status"]?.string == "409")
        #expect(
            again["schemas"]?[0]?.string == "urn:ietf:params:scim:api:messages:2.0:Error")
    }

    @Test func `the last owner stays, and no owner is made`() async throws {
        let setting = try await Setting()
        let id = try await setting.server.agentID(of: setting.owner).text
        let left = try await setting.patch(
            "/Users/\(id)", #"{"op":"replace","path":"active","value":false}"#)
        #expect(left.status == 403)
        #expect(left.response.headers.first("content-type") == "application/scim+json")
        #expect(try await setting.send(.delete, "/Users/\(id)").status == 403)
        #expect(try await setting.role(of: id) == "owner")
        let other = try await setting.add(#""userName":"a@example.com""#)
        #expect(try await setting.role(of: other) == "agent")
        let raised = try await setting.patch(
            "/Users/\(other)", #"{"op":"add","path":"roles","value":[{"value":"owner"}]}"#)
        #expect(raised.status == 400 && raised["scimType"]?.string == "invalidValue")
        let made = try await setting.send(
            .post, "/Users", #"{"userName":"b@example.com","roles":[{"value":"owner"}]}"#)
        #expect(made.status == 400)
        let changed = try await setting.patch(
            "/Users/\(other)", #"{"op":"replace","path":"roles","value":[{"value":"auditor"}]}"#)
        #expect(changed.status == 200)
        #expect(try await setting.role(of: other) == "auditor")
    }

    @Test func `of a change that is refused nothing is done`() async throws {
        let setting = try await Setting()
        let list = try await setting.send(.get, "/Users")
        let email = try #require(list["Resources"]?[0]?["userName"]?.string)
        let id = try await setting.add(
            #""userName":"upn","emails":[{"value":"\#(email)"}],"displayName":"Ada""#)
        _ = try await setting.add(#""userName":"other@example.com""#)
        for (name, status) in [("new", 403), ("OTHER@example.com", 409)] {
            let refused = try await setting.patch(
                "/Users/\(id)",
                #"{"op":"replace","value":{"userName":"\#(name)","displayName":"Eve","active":false}}"#
            )
            #expect(refused.status == status)
            let read = try await setting.send(.get, "/Users/\(id)")
            #expect(read["userName"]?.string == "upn" && read["displayName"]?.string == "Ada")
            #expect(read["active"]?.bool == true)
        }
    }

    @Test(arguments: [
        (#"{}"#, "userName is missing"), (#"{"userName":"a b"}"#, "There is no address"),
        (#"{"userName":"a@example.com","active":"yes"}"#, "active is true or false"),
        (#"{"userName":"a@example.com","emails":[{"value":"x"}]}"#, "An address of emails"),
        (#"{"userName":"a@example.com","roles":["agent","auditor"]}"#, "none of them primary"),
        (
            #"{"userName":"a@example.com","roles":[{"value":"agent","primary":true},{"value":"auditor","primary":"True"}]}"#,
            "2 of them primary"
        ),
        (#"{"userName":"a\n@example.com"}"#, "userName is one line"),
        (#"{"userName":7}"#, "userName is a text"),
        (#"{"schemas":["urn:x"],"userName":"a@example.com"}"#, "schemas names no"),
    ])
    func `a person who cannot be added is refused with the reason`(
        _ body: String, _ reason: String
    ) async throws {
        let setting = try await Setting()
        let refused = try await setting.send(.post, "/Users", body)
        #expect(refused.status == 400)
        #expect(refused["detail"]?.string?.contains(reason) == true, "\(refused.text)")
        #expect(refused["scimType"]?.string?.hasPrefix("invalid") == true)
        #expect(try await setting.send(.get, "/Users")["totalResults"]?.int == 1)
    }

    @Test func `of several roles the primary one counts`() async throws {
        let setting = try await Setting()
        let id = try await setting.add(
            #""userName":"a@example.com","roles":[{"value":"agent"},{"value":"auditor","primary":"True"}]"#
        )
        #expect(try await setting.role(of: id) == "auditor")
        let second = try await setting.patch(
            "/Users/\(id)", #"{"op":"add","path":"roles","value":[{"value":"supervisor"}]}"#)
        #expect(second.status == 200 && second["roles"]?.count == 1)
        #expect(try await setting.role(of: id) == "auditor")
        let primary = try await setting.patch(
            "/Users/\(id)",
            #"{"op":"add","path":"roles","value":[{"value":"supervisor","primary":true}]}"#)
        #expect(primary.status == 200)
        #expect(try await setting.role(of: id) == "supervisor")
    }

    @Test func `an owner who left comes back as an agent`() async throws {
        let setting = try await Setting()
        let business = setting.server.other
        let other = try await setting.server.makeMember(
            "second@example.com", .owner, of: business, by: setting.owner)
        let id = try await setting.server.agentID(of: other).text
        for (active, role) in [("false", nil), ("true", "agent")] as [(String, String?)] {
            let changed = try await setting.patch(
                "/Users/\(id)", #"{"op":"replace","path":"active","value":\#(active)}"#)
            #expect(changed.status == 200, "\(changed.text)")
            #expect(changed["roles"]?[0]?["value"]?.string == "agent")
            #expect(try await setting.role(of: id) == role)
        }
    }

    @Test(arguments: [
        ("Mia", "Mia"), ("@x", "m"), (" @x", "m"),
        (String(repeating: "é", count: 60), String(repeating: "é", count: 50)),
    ])
    func `a person whose provider has no name is called by userName or address`(
        _ userName: String, _ name: String
    ) async throws {
        let setting = try await Setting()
        let id = try await setting.add(
            #""userName":"\#(userName)","emails":[{"value":"m@example.com"}]"#)
        let read = try await setting.send(.get, "/Users/\(id)")
        #expect(read["displayName"]?.string == name)
    }

    @Test func `a group is a team with its members, and is retired and used again`() async throws {
        let setting = try await Setting()
        let mia = try await setting.add(#""userName":"mia@example.com","displayName":"Mia""#)
        let ben = try await setting.add(#""userName":"ben@example.com","displayName":"Ben""#)
        let made = try await setting.send(
            .post, "/Groups",
            #"{"displayName":"Returns","externalId":"g1","members":[{"value":"\#(mia)"}]}"#)
        #expect(made.status == 201, "\(made.text)")
        let id = try #require(made["id"]?.string)
        #expect(made["members"]?[0]?["display"]?.string == "Mia")
        let added = try await setting.patch(
            "/Groups/\(id)", #"{"op":"add","path":"members","value":[{"value":"\#(ben)"}]}"#)
        #expect(added["members"]?.count == 2)
        let removed = try await setting.patch(
            "/Groups/\(id)", #"{"op":"remove","path":"members[value eq \"\#(mia)\"]"}"#)
        #expect(removed["members"]?.count == 1)
        #expect(removed["members"]?[0]?["value"]?.string == ben)
        let user = try await setting.send(.get, "/Users/\(ben)")
        #expect(user["groups"]?[0]?["display"]?.string == "Returns")
        let same = try await setting.send(.post, "/Groups", #"{"displayName":"RETURNS"}"#)
        #expect(same.status == 409 && same["scimType"]?.string == "uniqueness")
        let named = try await setting.send(
            .get, "/Groups?filter=externalId%20eq%20%22g1%22&excludedAttributes=members")
        #expect(named["totalResults"]?.int == 1 && named["Resources"]?[0]?["members"] == nil)
        #expect(try await setting.send(.delete, "/Groups/\(id)").status == 204)
        #expect(try await setting.send(.get, "/Groups")["totalResults"]?.int == 0)
        let again = try await setting.send(.post, "/Groups", #"{"displayName":"returns"}"#)
        #expect(again.status == 201 && again["id"]?.string == id)
        #expect(again["members"]?.count == 0)
        let other = try await setting.send(
            .put, "/Groups/\(id)", #"{"displayName":"R","members":[{"value":"\#(id)"}]}"#)
        #expect(other.status == 400 && other["scimType"]?.string == "invalidValue")
    }

    @Test func `a group has those of its members who are active and handle conversations`()
        async throws
    {
        let setting = try await Setting()
        let mia = try await setting.add(#""userName":"mia@example.com""#)
        let out = try await setting.add(#""userName":"out@example.com","active":false"#)
        let reader = try await setting.add(
            #""userName":"reader@example.com","roles":[{"value":"auditor"}]"#)
        let all = [out, mia, reader, mia].map { #"{"value":"\#($0)"}"# }.joined(separator: ",")
        let made = try await setting.send(
            .post, "/Groups", #"{"displayName":"Returns","members":[\#(all)]}"#)
        #expect(made.status == 201, "\(made.text)")
        #expect(made["members"]?.count == 1 && made["members"]?[0]?["value"]?.string == mia)
        let id = try #require(made["id"]?.string)
        let changed = try await setting.patch(
            "/Groups/\(id)", #"{"op":"Add","path":"members","value":[\#(all)]}"#)
        #expect(changed.status == 200 && changed["members"]?.count == 1)
        let unknown = try await setting.patch(
            "/Groups/\(id)", #"{"op":"Add","path":"members","value":[{"value":"\#(id)"}]}"#)
        #expect(unknown.status == 400 && unknown["scimType"]?.string == "invalidValue")
    }

    @Test func `a filter and a page choose, and what cannot be read is refused`() async throws {
        let setting = try await Setting()
        for name in ["a", "b", "c"] {
            _ = try await setting.add(#""userName":"\#(name)@example.com""#)
        }
        let found = try await setting.send(
            .get, "/Users?filter=userName%20eq%20%22B@EXAMPLE.com%22&attributes=userName")
        #expect(found["totalResults"]?.int == 1)
        #expect(found["Resources"]?[0]?["userName"]?.string == "b@example.com")
        #expect(found["Resources"]?[0]?["active"] == nil)
        let page = try await setting.send(.get, "/Users?startIndex=2&count=2")
        #expect(page["totalResults"]?.int == 4 && page["Resources"]?.count == 2)
        #expect(page["startIndex"]?.int == 2 && page["itemsPerPage"]?.int == 2)
        #expect(try await setting.send(.get, "/Users?count=0")["Resources"]?.count == 0)
        for target in ["/Users?filter=userName%20is%201", "/Users?count=x", "/Users?size=1"] {
            let refused = try await setting.send(.get, target)
            #expect(refused.status == 400, "\(target)")
            #expect(refused.response.headers.first("content-type") == "application/scim+json")
        }
    }

    @Test func `a search has in its body what a list has in its query`() async throws {
        let setting = try await Setting()
        for name in ["a", "b", "c"] {
            _ = try await setting.add(#""userName":"\#(name)@example.com""#)
        }
        func search(_ target: String, _ members: String) async throws -> Answer {
            try await setting.send(
                .post, target + "/.search",
                #"{"schemas":["urn:ietf:params:scim:api:messages:2.0:SearchRequest"]\#(members)}"#)
        }
        let all = try await search("/Users", "")
        #expect(all.status == 200 && all["totalResults"]?.int == 4, "\(all.text)")
        let found = try await search(
            "/Users",
            #","filter":"userName ew \"@EXAMPLE.com\"","startIndex":2,"count":1,"attributes":["userName"],"sortBy":"id""#
        )
        #expect(found["totalResults"]?.int == 4 && found["Resources"]?.count == 1)
        #expect(found["Resources"]?[0]?["userName"]?.string == "a@example.com")
        #expect(found["Resources"]?[0]?["active"] == nil)
        let some = try await search("/Groups", #","excludedAttributes":["members"]"#)
        #expect(some["totalResults"]?.int == 0)
        #expect(try await search("/Schemas", "")["totalResults"]?.int == 2)
        for target in ["/ServiceProviderConfig", "/Nothing"] {
            #expect(try await search(target, "").status == 404, "\(target)")
        }
        for members in [
            #","filter":"a""#, #","filter":7"#, #","count":"1""#, #","count":1.5"#,
            #","attributes":[7]"#, #","attributes":["a"],"excludedAttributes":["b"]"#,
        ] {
            #expect(try await search("/Users", members).status == 400, "\(members)")
        }
        let other = try await setting.send(.post, "/Users/.search", #"{"schemas":["urn:x"]}"#)
        #expect(other.status == 400 && other["scimType"]?.string == "invalidSyntax")
    }

    @Test func `it needs the operator's word, the scope and the business`() async throws {
        let off = try await Setting(allowsProvisioning: false)
        let refused = try await off.send(.get, "/Users")
        #expect(refused.status == 403)
        #expect(refused["detail"]?.string?.contains("--scim") == true)
        let setting = try await Setting()
        let path = setting.path + "/Users"
        let all = try await setting.server.makeKey([setting.server.other], scopes: [])
        #expect(try await setting.server.get(path, by: all).status == 403)
        #expect(try await setting.server.get(path, by: setting.owner).status == 403)
        #expect(try await setting.server.get(path).status == 401)
        let elsewhere = try await setting.server.makeKey(
            [setting.server.business], scopes: .people)
        #expect(try await setting.server.get(path, by: elsewhere).status == 404)
        #expect(try await setting.send(.get, "/Nothing").status == 404)
        #expect(try await setting.send(.post, "/Schemas", "{}").status == 405)
        #expect(try await setting.send(.post, "/Users", "[]").status == 400)
        #expect(try await setting.send(.post, "/Users", "{").status == 400)
    }

    @Test func `no key has the scope that does not name it`() {
        #expect(!KeyScopes.unnamed.contains(.people))
        #expect(!KeyScopes.usual.contains(.people))
        #expect(KeyScopes.all.contains(.people))
    }
}
