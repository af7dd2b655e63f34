import APITestSupport
import DeskJSON
import DeskModel
import TestSupport
import Testing

/// The event catalogue, Schemas/events/, against the types that the program knows.
struct EventCatalogueTests {
    private static let signals = ["ephemeral", "live", "reset"]

    private static func schema(_ name: String) throws -> JSONValue {
        let text = try #require(TestFiles.text("Schemas/events/\(name).json"), "\(name)")
        return try JSONDocument(parsing: Array(text.utf8), limits: .unlimited).root
    }

    private static func faults(_ json: JSON, of name: String) -> [String] {
        EventCatalogue.shared.faults(json.bytes(), forCustomer: name == "customer")
    }

    @Test func `every type has an entry, and every entry a type`() {
        #expect(EventCatalogue.shared.types == Set(EventType.known.map(\.rawValue)))
    }

    @Test(arguments: EventType.known)
    func `an entry says what happens, who sees it and an example`(_ type: EventType) throws {
        let schema = try Self.schema(type.rawValue)
        #expect(schema["$id"]?.string == "/schemas/v1/events/\(type.rawValue).json")
        #expect(schema["title"]?.string?.isEmpty == false)
        #expect(schema["description"]?.string?.isEmpty == false)
        let seen = schema["x-seen-by"]?.elements.compactMap(\.string)
        #expect(seen == (type.isForCustomer ? ["business", "customer"] : ["business"]))
        #expect(schema["properties"]?["type"]?["const"]?.string == type.rawValue)
        #expect((schema["examples"]?.count ?? 0) > 0)
    }

    @Test(arguments: EventType.known.map(\.rawValue) + signals + ["customer"])
    func `an example fits, and not without a member, with another one or with another type`(
        _ name: String
    ) throws {
        for example in try #require(Self.schema(name)["examples"]).elements {
            guard case .object(let members) = JSON(example) else {
                Issue.record("\(name) has an example that is no object")
                continue
            }
            #expect(Self.faults(.object(members), of: name) == [])
            for (place, member) in members.enumerated() where member.0 != "revision" {
                var less = members
                less.remove(at: place)
                #expect(!Self.faults(.object(less), of: name).isEmpty, "\(member.0)")
            }
            let more = members + [("surprise", JSON.integer(1))]
            #expect(Self.faults(.object(more), of: name).contains { $0.contains("surprise") })
            let renamed = members.map { $0.0 == "type" ? ("type", JSON.string("a.b")) : $0 }
            #expect(Self.faults(.object(renamed), of: name).count == 1)
        }
    }

    @Test func `a type and a member that are not in the catalogue are named`() {
        func faults(_ text: String) -> [String] { EventCatalogue.shared.faults(Array(text.utf8)) }
        #expect(
            faults(#"{"type":"tea.brewed"}"#)
                == ["tea.brewed is not in the catalogue: Schemas/events/tea.brewed.json is missing"]
        )
        let known = """
            {"id":"7-1","type":"template.published","time":"2026-06-01T09:00:00Z","business":\
            "6f2d1c5e-0000-4000-8000-000000000100","conversation":null,"sequence":null,"schema":1,\
            "data":{"name":"a","version":1%}}
            """
        #expect(faults(known.replacing("%", with: "")) == [])
        let grown = faults(known.replacing("%", with: #","steps":3"#))
        #expect(grown.count == 1)
        #expect(grown.first?.hasPrefix("template.published at /data/steps") == true, "\(grown)")
    }

    @Test func `OpenAPI has each type as a webhook and as a schema`() throws {
        let text = try #require(TestFiles.text("docs/openapi.json"))
        let root = try JSONDocument(parsing: Array(text.utf8), limits: .unlimited).root
        let hooks = try #require(root["webhooks"]).members
        #expect(Set(hooks.map(\.key)) == EventCatalogue.shared.types)
        for hook in hooks {
            let content = hook.value["post"]?["requestBody"]?["content"]?["application/json"]
            let name = content?["schema"]?["$ref"]?.string?.split(separator: "/").last
            let schema = root["components"]?["schemas"]?[String(name ?? "")]
            #expect(schema?["properties"]?["type"]?["const"]?.string == hook.key)
            #expect(content?["example"]?["type"]?.string == hook.key)
        }
    }
}
