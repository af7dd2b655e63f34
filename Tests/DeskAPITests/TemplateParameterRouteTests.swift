import APITestSupport
import DeskJSON
import DeskModel
import Testing

@testable import DeskAPI

/// What the API says of a template's parameters, which is what the lint says of them.
struct TemplateParameterRouteTests {
    @Test
    func `parameters that the lint refuses are not published, with the place in the posted text`()
        async throws
    {
        let server = try await TestServer()
        let key = try await server.makeKey([server.business])
        func publish(_ more: String) async throws -> Answer {
            let body = """
                {"business":"\(server.business.id)","name":"hello","title":"Hello",\
                "payload":{"type":"text","body":"Hello {{who}}"},"parameters":[{"name":"who",\(more)}]}
                """
            let answer = try await server.post("/api/templates", body, by: key)
            for error in answer["errors"]?.elements.map({ $0 }) ?? [] {
                let place = try #require(
                    error["pointer"]?.string.flatMap(JSONPointer.init(parsing:)))
                let found = try JSONDocument(parsing: Array(body.utf8)).root.find(place)
                // That of a member is where its name begins.
                let start = try #require(error["start"]?.int)
                #expect(found?.range.contains(error["end"]?.int ?? 0) == false, "\(answer.text)")
                #expect((0...11).contains((found?.range.lowerBound ?? 0) - start), "\(answer.text)")
            }
            return answer
        }
        let long = String(repeating: "l", count: 121)
        for (more, pointer) in [
            (#""type":"text","requierd":false"#, "/parameters/0/requierd"),
            (#""type":"text","label":"\#(long)""#, "/parameters/0/label"),
            (#""type":"choice","choices":["a",""]"#, "/parameters/0/choices/1"),
        ] {
            let answer = try await publish(more)
            #expect(answer.status == 422 && answer.code == "invalid", "\(more)")
            let pointers = answer["errors"]?.elements.compactMap { $0["pointer"]?.string }
            #expect(pointers == [pointer], "\(answer.text)")
        }
        // What the server itself writes of a parameter is published as it is.
        let made = try await publish(#""type":"text","label":"\#(long.dropLast())""#)
        #expect(made.status == 201)
        let written = try #require(made["parameters"]?.rawBytes)
        let again = try await server.post(
            "/api/templates",
            """
            {"business":"\(server.business.id)","name":"hello","title":"Hello",\
            "payload":{"type":"text","body":"Hello {{who}}"},"parameters":\(String(decoding: written, as: UTF8.self))}
            """, by: key)
        #expect(again.status == 201, "\(again.text)")
    }
}
