import APITestSupport
import DeskHTTP
import DeskJSON
import DeskModel
import DeskWeb
import TestSupport
import Testing

@testable import DeskAPI

/// docs/problems against the code, both ways.
struct ProblemPageTests {
    /// The codes that DeskHTTP and DeskNet write into problems, read from their sources: they
    /// occur there as text, beside the status they go with.
    private static let transportCodes: Set<String> = {
        let sources = ["Sources/DeskHTTP", "Sources/DeskNet"].flatMap(TestFiles.names)
        var codes: Set<String> = []
        for name in sources where name.hasSuffix(".swift") {
            // A log's event and a metric's name are no codes.
            let lines = (TestFiles.text(name) ?? "").split(separator: "\n").filter { line in
                !line.contains("log.") && !line.contains("\"frontdesk_")
                    && !line.contains("///")
            }
            for match in lines.joined(separator: "\n").matches(
                of: /(?:RequestProblem\([^"]*|code: |case \.\w+: |\? |: )"([a-z]+(?:_[a-z]+)+)"/)
            {
                codes.insert(String(match.output.1))
            }
        }
        return codes
    }()

    @Test func `every code has a page and every page a code`() {
        let pages = TestFiles.names("docs/problems").filter { $0.hasSuffix(".md") }
        let names = Set(
            pages.compactMap { $0.split(separator: "/").last?.dropLast(3) }.map(String.init))
        let codes = Set(ProblemCode.allCases.map(\.rawValue)).union(Self.transportCodes)
        #expect(names.subtracting(["README"]) == codes)
        #expect(Self.transportCodes.isSuperset(of: ["bad_host", "header_too_large", "bad_chunk"]))
        #expect(Set(Refusal.allCases.map(\.code)).isSubset(of: codes))
        let schema = OpenAPICheck.shared.document.root["components"]?["schemas"]?["Problem"]
        let described = schema?["properties"]?["code"]?["enum"]?.elements.compactMap(\.string) ?? []
        #expect(Set(described) == codes)
    }

    @Test func `every refusal below the routes is a whole problem with a sentence of its own`()
        throws
    {
        for code in Self.transportCodes {
            let answer = Answer(response: .problem(.badRequest, code: code))
            #expect(answer["type"]?.string == "/docs/problems/\(code)")
            #expect(answer["title"]?.string == "Bad Request")
            #expect(answer["status"]?.int == 400)
            #expect(answer.code == code)
            let detail = try #require(answer["detail"]?.string, "\(code)")
            #expect(detail != "Bad Request" && detail.hasSuffix("."), "\(code)")
        }
    }

    @Test(arguments: ProblemCode.allCases)
    func `a page begins with its code and states its status`(code: ProblemCode) throws {
        let page = try #require(TestFiles.text("docs/problems/\(code.rawValue).md"))
        #expect(page.hasPrefix("# \(code.rawValue): "))
        #expect(page.contains("\nStatus \(code.status.code).\n"))
        #expect(page.contains("**When.**") && page.contains("**What to do.**"))
        let index = try #require(TestFiles.text("docs/problems/README.md"))
        #expect(index.contains("| [\(code.rawValue)](\(code.rawValue).md) | \(code.status.code) |"))
    }

    @Test(arguments: RequestFinding.Rule.allCases)
    func `a rule of requests has a page`(rule: RequestFinding.Rule) throws {
        let page = try #require(TestFiles.text("docs/rules/\(rule.rawValue).md"))
        #expect(page.hasPrefix("# \(rule.rawValue): "))
        let index = try #require(TestFiles.text("docs/rules/README.md"))
        #expect(index.contains("[\(rule.rawValue)](\(rule.rawValue).md)"))
    }
}
