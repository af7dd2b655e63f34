import APITestSupport
import DeskJSON
import DeskWeb
import Testing

@testable import DeskAPI

struct PasswordTests {
    @Test(
        arguments: [
            ("five!", "a password of 5 characters", 15, 5),
            (String(repeating: "日本", count: 150), "a password of 300 characters", 256, 300),
            (
                "passwordpassword",
                "a password that repeats a few characters, or counts them up or down", nil, nil
            ),
            ("iloveyouforever123", "a password made of words that everybody tries first", nil, nil),
            (
                "ada@example.com1", "a password little more than the name or the e-mail address",
                nil, nil
            ),
        ] as [(String, String, Int?, Int?)])
    func `a refused password is answered with what is wrong and what is allowed, never with itself`(
        password: String, found: String, limit: Int?, actual: Int?
    ) async throws {
        let server = try await TestServer()
        let link = try await OneTimeLinks(services: server.services).makeSetupLink()
        let token = try #require(link.split(separator: "=").last)
        let answer = try await server.post(
            "/api/setup",
            #"{"token":"\#(token)","name":"Ada","email":"ada@example.com","password":"\#(password)"}"#
        )
        #expect(answer.status == 422)
        let errors = try #require(answer["errors"])
        let finding = try #require(Array(errors.elements).first)
        #expect(finding["pointer"]?.string == "/password")
        #expect(finding["found"]?.string == found)
        #expect(
            finding["allowed"]?.string
                == "15 to 256 characters that are hard to guess, such as a few words in a row")
        #expect(finding["limit"]?.int == limit)
        #expect(finding["actual"]?.int == actual)
        #expect(finding["fix"]?.string?.hasSuffix("Choose another one.") == true)
        #expect(answer["detail"]?.string?.contains(found) == true)
        #expect(!answer.text.contains(password))
    }
}
