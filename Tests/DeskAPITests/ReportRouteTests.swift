import APITestSupport
import DeskBroker
import DeskHTTP
import DeskJSON
import DeskModel
import DeskStore
import DeskTeam
import StoreSupport
import Testing

@testable import DeskAPI

struct ReportRouteTests {
    /// Counts everything that has happened.
    private static func count(_ server: TestServer) async throws {
        let runner = ReaderRunner(
            ReportReader(server.store), of: server.services.broker, time: server.time.source)
        _ = try await runner.readOn(under: try await server.store.leaseOfTest())
    }

    private static func path(_ server: TestServer, _ query: String = "") -> String {
        "/api/businesses/\(server.business.id)/reports\(query.isEmpty ? "" : "?\(query)")"
    }

    private static func answer(
        _ conversation: Conversation, in server: TestServer, by caller: TestServer.Caller
    ) async throws {
        let sent = try await server.post(
            "/api/conversations/\(conversation.id)/messages",
            #"{"v":1,"type":"text","body":"Good morning"}"#, by: caller)
        #expect(sent.status == 201)
    }

    private static func setState(
        _ state: String, of conversation: Conversation, in server: TestServer,
        by caller: TestServer.Caller
    ) async throws {
        let changed = try await server.send(
            .patch, "/api/conversations/\(conversation.id)", #"{"state":"\#(state)"}"#, by: caller)
        #expect(changed.status == 200)
    }

    @Test func `owners and keys read a report of everything, agents one of their own work`()
        async throws
    {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let agent = try await server.makeMember(
            "ben@example.com", .agent, of: server.business, by: owner)
        let key = try await server.makeKey([server.business])
        let one = try await server.makeConversation()
        let two = try await server.makeConversation()
        server.time.advance(by: .seconds(90))
        try await Self.answer(one, in: server, by: owner)
        server.time.advance(by: .seconds(30))
        try await Self.answer(two, in: server, by: agent)
        try await Self.setState("closed", of: two, in: server, by: agent)
        #expect(try await server.get(Self.path(server), by: owner)["countedUpTo"]?.isNull == true)
        try await Self.count(server)
        for caller in [owner, key] {
            let whole = try await server.get(Self.path(server, "by=agent"), by: caller)
            #expect(whole.status == 200)
            #expect(
                whole["countedUpTo"]?.string
                    == EventID(epoch: server.store.epoch, position: server.store.newest).text)
            let total = whole["total"]
            #expect(total?["begun"]?.int == 2)
            #expect(total?["received"]?.int == 2)
            #expect(total?["sent"]?.int == 2)
            #expect(total?["closed"]?.int == 1)
            #expect(total?["firstAnswerSeconds"]?.int == 105)
            // Of 90 and 120 seconds, a fifth from the true ones at most.
            #expect((72...108).contains(total?["firstAnswerMedianSeconds"]?.int ?? 0))
            #expect((96...144).contains(total?["firstAnswerP90Seconds"]?.int ?? 0))
            #expect(total?["resolutionSeconds"]?.int == 120)
            #expect(whole["rows"]?.count == 7)
            #expect(whole["members"]?.count == 2)
            let names = whole["members"]?.elements.compactMap { $0["name"]?.string }
            #expect(Set(names ?? []) == ["Ada", "Ben"])
        }
        let own = try await server.get(Self.path(server, "by=agent&compare=true"), by: agent)
        #expect(own["total"]?["sent"]?.int == 1)
        #expect(own["total"]?["begun"]?.int == 0)
        #expect(own["total"]?["firstAnswerSeconds"]?.int == 120)
        #expect(own["members"]?.elements.compactMap { $0["name"]?.string } == ["Ben"])
        #expect(own["previous"]?["total"]?["sent"]?.int == 0)
        let refused = try await server.get(Self.path(server, "by=kind"), by: agent)
        #expect(refused.status == 403)
        #expect(refused.code == "forbidden")
    }

    @Test func `an agent has the own work, however many others did more`() async throws {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let agent = try await server.makeMember(
            "ben@example.com", .agent, of: server.business, by: owner)
        try await Self.answer(try await server.makeConversation(), in: server, by: agent)
        try await Self.count(server)
        var change = ReportChange()
        for number in 0...UInt64(Report.mostMembers) {
            let other = AgentID(UniqueID(high: 9, low: number)).text
            let slot = ReportKey.slot(of: server.time.now)
            change.counts[ReportKey(of: server.business.id, .agent, other, slot: slot)] = {
                var counts = ReportCounts()
                counts.sent = 9
                return counts
            }()
        }
        let cursor = try #require(try await server.store.findCursor(of: ReportReader.name))
        try await server.store.advance(
            ReportReader.name, from: cursor, to: cursor, storing: .reports(change),
            under: try await server.store.leaseOfTest())
        let own = try await server.get(Self.path(server, "by=agent"), by: agent)
        #expect(own["members"]?.elements.map { $0["name"]?.string } == ["Ben"])
        #expect(own["members"]?[0]?["sent"]?.int == 1)
        #expect(own["members"]?[0]?["firstAnswerMedianSeconds"]?.int != nil)
    }

    @Test func `what a report is cut by has the names that people know`() async throws {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let made = try await server.post(
            "/api/businesses/\(server.business.id)/labels", ##"{"name":"VIP","colour":"#CC0000"}"##,
            by: owner)
        let label = try #require(made["id"]?.string)
        let one = try await server.makeConversation()
        let labelled = try await server.send(
            .patch, "/api/conversations/\(one.id)", #"{"labels":{"add":["\#(label)"]}}"#, by: owner)
        #expect(labelled.status == 200)
        try await Self.answer(one, in: server, by: owner)
        try await Self.count(server)
        let byLabel = try await server.get(Self.path(server, "by=label"), by: owner)
        #expect(byLabel["members"]?[0]?["name"]?.string == "VIP")
        #expect(byLabel["members"]?[0]?["begun"]?.int == 1)
        #expect(byLabel["members"]?[0]?["sent"]?.int == 1)
        let byKind = try await server.get(Self.path(server, "by=kind"), by: owner)
        #expect(byKind["members"]?[0]?["id"]?.string == "text")
        #expect(byKind["members"]?[0]?["received"]?.int == 1)
        let byEntry = try await server.get(Self.path(server, "by=entry"), by: owner)
        #expect(byEntry["members"]?[0]?["id"]?.isNull == true)
        #expect(byEntry["members"]?[0]?["name"]?.string == "")
        #expect(byEntry["members"]?[0]?["begun"]?.int == 1)
    }

    @Test func `rows are days and hours of the zone that is asked for`() async throws {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let long = "from=2026-10-24&to=2026-10-26&zone=Europe/Berlin"
        let days = try await server.get(Self.path(server, long), by: owner)
        #expect(days["rows"]?.elements.compactMap { $0["minutes"]?.int } == [1_440, 1_500, 1_440])
        #expect(
            days["rows"]?.elements.compactMap { $0["start"]?.string } == [
                "2026-10-24T00:00:00+02:00", "2026-10-25T00:00:00+02:00",
                "2026-10-26T00:00:00+01:00",
            ])
        let hours = try await server.get(Self.path(server, long + "&step=hour"), by: owner)
        #expect(hours["rows"]?.count == 73)
        let west = try await server.get(
            Self.path(server, "from=2026-01-01&to=2026-01-01&zone=America/St_Johns"), by: owner)
        #expect(west["rows"]?[0]?["start"]?.string == "2026-01-01T00:00:00-03:30")
    }

    @Test(arguments: [
        ("zone=Nowhere", "zone"), ("zone=../etc/passwd", "zone"), ("from=2026-02-30", "from"),
        ("from=2026-1-1", "from"), ("from=2026-01-02&to=2026-01-01", "from"),
        ("from=2024-01-01&to=2026-01-01", "from"),
        ("from=2026-01-01&to=2026-03-01&step=hour", "from"), ("by=x", "by"), ("step=week", "step"),
        ("compare=yes", "compare"), ("format=xml", "format"), ("to=x", "to"),
    ])
    func `a query that cannot be answered is refused by its parameter`(
        query: String, name: String
    ) async throws {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let answer = try await server.get(Self.path(server, query), by: owner)
        #expect(answer.status == 422)
        #expect(answer["errors"]?[0]?["parameter"]?.string == name)
    }

    @Test func `a report has at most 400 days, by hours 31`() async throws {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        for (query, status) in [
            ("from=2025-01-01&to=2026-02-04", 200), ("from=2025-01-01&to=2026-02-05", 422),
            ("from=2026-01-01&to=2026-01-31&step=hour", 200),
            ("from=2026-01-01&to=2026-02-01&step=hour", 422),
        ] {
            #expect(
                try await server.get(Self.path(server, query), by: owner).status == status,
                "\(query)")
        }
    }

    @Test func `a report is a file of CSV that no spreadsheet calculates`() async throws {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let made = try await server.post(
            "/api/businesses/\(server.business.id)/labels",
            ##"{"name":"=HYPERLINK(\"x\",1)","colour":"#CC0000"}"##, by: owner)
        let label = try #require(made["id"]?.string)
        let one = try await server.makeConversation()
        _ = try await server.send(
            .patch, "/api/conversations/\(one.id)", #"{"labels":{"add":["\#(label)"]}}"#, by: owner)
        try await Self.count(server)
        let file = try await server.get(Self.path(server, "by=label&format=csv"), by: owner)
        #expect(file.status == 200)
        #expect(file.headers["content-type"] == "text/csv; charset=utf-8")
        #expect(file.headers["content-disposition"]?.contains("by-label.csv") == true)
        let names =
            "begun,received,sent,closed,firstAnswers,firstAnswerSeconds,waits,waitSeconds,"
            + "resolutionSeconds,cards,cardsAnswered,cardsPaid,firstAnswerMedianSeconds,"
            + "firstAnswerP90Seconds,waitMedianSeconds,waitP90Seconds,resolutionMedianSeconds,"
            + "resolutionP90Seconds,firstOverdue,nextOverdue,satisfactionAsked,"
            + "satisfactionAnswered,scored1,scored2,scored3,scored4,scored5,meanScore"
        #expect(
            file.text == "id,name,\(names)\r\n"
                + "\(label),\"'=HYPERLINK(\"\"x\"\",1)\",1,0,0,0,0,,0,,,0,0,0,,,,,,,0,0,"
                + "0,0,0,0,0,0,0,\r\n")
        let rows = try await server.get(
            Self.path(server, "from=2026-01-01&to=2026-01-01&format=csv"), by: owner)
        #expect(
            rows.text == "start,minutes,\(names)\r\n"
                + "2026-01-01T00:00:00+00:00,1440,0,0,0,0,0,,0,,,0,0,0,,,,,,,0,0,"
                + "0,0,0,0,0,0,0,\r\n")
    }

    @Test(arguments: [
        ("plain", "plain"), ("=1+1", "'=1+1"), ("+1", "'+1"), ("-1", "'-1"), ("@a", "'@a"),
        ("  =1", "'  =1"), ("\t=1", "\"'\t=1\""), ("\r=1", "\"'\r=1\""), ("a,b", "\"a,b\""),
        ("a\"b", "\"a\"\"b\""), ("a\r\nb", "\"a\r\nb\""), ("予約", "予約"), ("a=b", "a=b"), ("", ""),
    ])
    func `a cell of CSV says its text and calculates nothing`(text: String, cell: String) {
        #expect(CSVCell.text(text).utf8.elementsEqual(cell.utf8))
    }
}
