import APITestSupport
import DeskHTTP
import DeskWeb
import Testing

@testable import DeskAPI

/// The pages' files at addresses that change with them.
struct MarkedFileTests {
    private static let page = """
        <link rel="icon" href="/web/lib/icon.svg"><link href="/web/lib/base.css">
        <script src="/web/console/main.js"></script><a href="/console">"/web/</a>
        """
    private static let kept = "public, max-age=31536000, immutable"

    private static func files(script: String = "let a") -> FileSet {
        FileSet([
            "console/index.html": Array(page.utf8), "console/main.js": Array(script.utf8),
            "lib/base.css": [1], "lib/icon.svg": [2],
        ])
    }

    /// The mark in the addresses of a console's page.
    private static func mark(in text: String) throws -> String {
        let rest = try #require(text.split(separator: "/web/~").dropFirst().first)
        return String(try #require(rest.split(separator: "/").first))
    }

    @Test
    func `a page refers to its scripts and sheets by the mark of all files, and to nothing else`()
        async throws
    {
        let server = try await TestServer(web: Self.files())
        let text = try await server.get("/console").text
        let mark = try Self.mark(in: text)
        #expect(mark.utf8.count == 17)
        #expect(
            text
                == Self.page.replacing("/web/lib/base", with: "/web/~\(mark)/lib/base")
                .replacing("/web/console", with: "/web/~\(mark)/console"))
    }

    @Test func `a file at this version's mark is kept for ever, elsewhere asked for again`()
        async throws
    {
        let server = try await TestServer(web: Self.files())
        let mark = try Self.mark(in: try await server.get("/console").text)
        for (path, cached) in [
            ("/web/~\(mark)/console/main.js", Self.kept), ("/web/~\(mark)/lib/icon.svg", Self.kept),
            ("/web/console/main.js", "no-cache"), ("/web/~other/console/main.js", "no-cache"),
            ("/web/~\(mark)x/console/main.js", "no-cache"),
        ] {
            let answer = try await server.get(path)
            #expect(answer.status == 200, "\(path)")
            #expect(answer.headers["cache-control"] == cached, "\(path)")
        }
        for path in ["/web/~\(mark)", "/web/~\(mark)/", "/web/~\(mark)/nothing.js", "/web/~"] {
            #expect(try await server.get(path).status == 404, "\(path)")
        }
    }

    @Test func `another content of any file is another mark`() async throws {
        var marks: Set<String> = []
        for script in ["let a", "let b"] {
            let server = try await TestServer(web: Self.files(script: script))
            marks.insert(try Self.mark(in: try await server.get("/console").text))
        }
        #expect(marks.count == 2)
    }
}
