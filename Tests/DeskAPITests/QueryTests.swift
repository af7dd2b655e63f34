import APITestSupport
import DeskBroker
import DeskHTTP
import DeskJSON
import DeskModel
import DeskWeb
import Testing

@testable import DeskAPI

/// What is made of the parameters of a query.
struct QueryTests {
    @Test func `every route of the API names its parameters as the OpenAPI file does`()
        async throws
    {
        let server = try await TestServer()
        for row in server.api.table.rows {
            let described = OpenAPICheck.shared.queryNames(of: row.operation)
            let root = row.pattern.split(separator: "/").first
            // The page itself, beside the routes below it.
            let isStrict =
                root == "api" || (root == "sandbox" && row.pattern != "/sandbox")
                || row.pattern == "/sso/start"
            guard isStrict, case .known(let names, let older) = row.query else {
                #expect(row.query == .ignored && described == [], "\(row.operation)")
                continue
            }
            // Of two names for one thing the file marks the older one as deprecated.
            #expect(Set(names + older.keys) == Set(described), "\(row.operation)")
            #expect(names.count + older.count == described.count, "\(row.operation)")
            #expect(Set(older.values).isSubset(of: names), "\(row.operation)")
        }
    }

    /// The query, and what the refusal says to do.
    private static let unknown = [
        ("stat=closed", "stat", "Did you mean filter[state]?"),
        ("filter%5Bstat%5D=closed", "filter[stat]", "Did you mean filter[state]?"),
        ("busines=x", "busines", "Did you mean business?"),
        ("state=open&page%5Bsiz%5D=2", "page[siz]", "Did you mean page[size]?"),
        ("customer=urn:mbid:x", "customer", "Take the parameter out."),
        ("=", "", "Take the parameter out."),
        ("Business=x", "Business", "Did you mean business?"),
    ]

    @Test(arguments: unknown)
    func `an unknown parameter is refused, with the nearest known name`(
        query: String, name: String, fix: String
    ) async throws {
        let server = try await TestServer()
        let key = try await server.makeKey([server.business])
        let answer = try await server.get("/api/conversations?\(query)", by: key)
        #expect(answer.status == 400)
        #expect(answer.code == "bad_request")
        let finding = try #require(answer["errors"]?[0])
        #expect(answer["errors"]?.count == 1)
        #expect(finding["rule"]?.string == "request-unknown")
        #expect(finding["parameter"]?.string == name)
        #expect(
            finding["allowed"]?.string
                == "business, filter[state], filter[assignee], filter[team], filter[label], "
                + "filter[priority], filter[attributes], filter[waiting], filter[channel], "
                + "filter[language], filter[text], filter[due], filter[dueWithin], "
                + "filter[mentions], filter[updatedAfter], filter[customer], filter[externalId], "
                + "filter[intent], filter[group], filter, sort, view, page[after], page[before], "
                + "page[size]"
        )
        #expect(finding["fix"]?.string == fix)
        #expect(answer["detail"]?.string?.contains(fix) == true)
    }

    @Test(arguments: [
        ("state=open&state=closed", "state"), ("filter%5Bstate%5D=open&state=closed", "state"),
        ("filter%5Bstate%5D=open&filter%5Bstate%5D=open", "filter[state]"),
    ])
    func `a parameter given twice is refused, by its older name too`(
        query: String, name: String
    ) async throws {
        let server = try await TestServer()
        let key = try await server.makeKey([server.business])
        let answer = try await server.get("/api/conversations?\(query)", by: key)
        #expect(answer.status == 400)
        #expect(answer["errors"]?[0]?["parameter"]?.string == name)
    }

    @Test(arguments: [
        ("state=open", 200, true), ("state=shut", 422, true),
        ("filter%5Bstate%5D=open&state=open", 400, true), ("page%5Bsize%5D=1", 200, false),
        ("filter%5Bstate%5D=open", 200, false), ("colour=red", 400, false),
    ])
    func `an answer to a name that is deprecated says so, and no other one does`(
        query: String, status: Int, isOlder: Bool
    ) async throws {
        let server = try await TestServer()
        let key = try await server.makeKey([server.business])
        let answer = try await server.get("/api/conversations?\(query)", by: key)
        #expect(answer.status == status)
        #expect(answer.headers["deprecation"] == (isOlder ? "@1795651200" : nil))
        #expect(answer.headers["link"]?.contains(#"rel="deprecation""#) == (isOlder ? true : nil))
        #expect(answer.headers["sunset"] == nil)
    }

    @Test func `every route without parameters refuses one, once it is known who asks`()
        async throws
    {
        let server = try await TestServer()
        let key = try await server.makeKey([server.business])
        #expect(try await server.get("/api/session?x=1").status == 401)
        #expect(try await server.get("/api/setup?x=1").status == 400)
        let reader = try await server.makeKey([server.business], scopes: .read)
        let links = "/api/businesses/\(server.business.id)/links?x=1"
        #expect(try await server.post(links, "{}", by: reader).status == 403)
        let answer = try await server.post("/api/messages/batch?dry=1", "{}", by: key)
        #expect(answer.status == 400)
        #expect(answer["errors"]?[0]?["allowed"]?.string == "no parameter")
    }

    @Test func `many unknown parameters make no long answer`() async throws {
        let server = try await TestServer()
        let key = try await server.makeKey([server.business])
        let query = (0..<2_000).map { "x\($0)" }.joined(separator: "&")
        let answer = try await server.get("/api/conversations?\(query)", by: key)
        #expect(answer.status == 400)
        #expect(answer["errors"]?.count == 16)
    }

    @Test(arguments: [("state", "state"), ("filter%5Bstate%5D", "filter[state]")])
    func `the value of a parameter that does not fit is named in the refusal, as it was sent`(
        sent: String, name: String
    ) async throws {
        let server = try await TestServer()
        let key = try await server.makeKey([server.business])
        let answer = try await server.get("/api/conversations?\(sent)=gone", by: key)
        #expect(answer.status == 422)
        let finding = try #require(answer["errors"]?[0])
        #expect(finding["rule"]?.string == "request-value")
        #expect(finding["parameter"]?.string == name)
        #expect(finding["found"]?.string == "\"gone\"")
        #expect(finding["allowed"]?.string == "open, pending, snoozed, closed or any")
    }

    /// Pages, entry links, health, and what others' systems call back: with what anybody added.
    private static let pages = [
        "/?utm_source=poster", "/livez?probe=1", "/readyz?x=%ff", "/metrics?x=%zz",
        "/b/x?utm_source=%ff", "/j/x?a=%", "/console/x?from=mail", "/docs/limits?y=%ed%a0%80",
        "/pay/x/fallback?a=b",
    ]

    @Test(arguments: pages)
    func `a page ignores what it does not know and what cannot be read`(
        target: String
    ) async throws {
        let server = try await TestServer()
        let plain = try await server.get(String(target.prefix { $0 != "?" }))
        let answer = try await server.get(target)
        #expect(answer.status == plain.status)
        #expect(answer.status != 400)
        #expect(answer.bytes == plain.bytes)
    }

    @Test(arguments: ["q=%ff", "q=%zz", "q=%", "q=a&%80=b", "q=%ed%a0%80"])
    func `the API refuses an escape that cannot be read, and says so`(
        query: String
    ) async throws {
        let server = try await TestServer()
        let key = try await server.makeKey([server.business])
        let answer = try await server.get("/api/search?\(query)", by: key)
        #expect(answer.status == 400)
        #expect(answer.code == "bad_request")
        #expect(answer["detail"]?.string?.contains("percent sign") == true)
    }

    @Test func `the customer's thread is read by the same numbers as the agent's`() async throws {
        let server = try await TestServer()
        let wrong = [
            "before=-1", "before=01", "after=1e5", "page[size]=0", "page[size]=301",
            "page[size]=0100", "after=1&before=2", "before=",
        ]
        let key = try await server.makeKey([server.business])
        let said = try await server.post(
            "/api/phone/\(server.business.id)/messages",
            #"{"id":"\#(server.services.broker.makeID())","text":"Hello","locale":"en_US"}"#)
        let customer = TestServer.Caller.customer(try #require(said.cookie("fdc")))
        let conversation = try #require(said["message"]?["conversation"]?.string)
        for query in wrong {
            let agents = try await server.get(
                "/api/conversations/\(conversation)/messages?\(query)", by: key)
            let customers = try await server.get(
                "/api/phone/\(server.business.id)/messages?\(query)", by: customer)
            #expect(agents.status == 422, "\(query)")
            #expect(customers.status == 422, "\(query)")
            #expect(customers.bytes == agents.bytes, "\(query)")
        }
    }
}
