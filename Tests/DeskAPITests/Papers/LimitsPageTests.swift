import DeskBroker
import DeskHTTP
import DeskJSON
import DeskModel
import Testing

@testable import DeskAPI
@testable import DeskMessages

/// docs/limits.md against the code, both ways.
struct LimitsPageTests {
    /// The rows under a heading: name and default, as they stand between backticks.
    private static func rows(under heading: String) throws -> [String: String] {
        let page = try #require(TestFiles.text("docs/limits.md"))
        let parts = page.split(separator: "\n## ").filter { $0.hasPrefix(heading + "\n") }
        let section = try #require(parts.first)
        let rows = section.split(separator: "\n").filter { $0.hasPrefix("| `") }
        return try Dictionary(
            rows.map { row in
                let words = row.split(separator: "`", omittingEmptySubsequences: false)
                try #require(words.count >= 5 && words[2] == " | ", "\(row)")
                try #require(row.split(separator: "|").count == 4, "\(row)")
                return (String(words[1]), String(words[3]))
            }, uniquingKeysWith: { "\($0) and \($1)" })
    }

    @Test func `the limits of connections are the server's`() throws {
        let limits = ServerLimits()
        var stated: [String: String] = [:]
        for entry in ServerLimits.entries { stated[entry.name] = limits.text(of: entry.name) }
        #expect(try Self.rows(under: "Connections and requests") == stated)
        #expect(!stated.isEmpty)
    }

    @Test func `the limits of the API are the API's`() throws {
        let limits = APILimits()
        var stated: [String: String] = [:]
        for (name, place) in APILimits.names { stated[name] = "\(limits[keyPath: place])" }
        #expect(try Self.rows(under: "The API") == stated)
        #expect(stated.count == Mirror(reflecting: limits).children.count)
    }

    @Test func `the fixed limits are the code's`() throws {
        var stated: [String: String] = [
            "Judging.maximumAppURLBytes": "\(Judging.maximumAppURLBytes)",
            "Judging.maximumAttachmentBytes": "\(Judging.maximumAttachmentBytes)",
            "Judging.maximumLinkPictureBytes": "\(Judging.maximumLinkPictureBytes)",
            "Judging.maximumFindings": "\(Judging.maximumFindings)",
            "UploadedFile.maximumBytes": "\(UploadedFile.maximumBytes)",
            "AttachmentRoutes.dailyBytes": "\(AttachmentRoutes.dailyBytes)",
            "AttachmentRoutes.pictureBytes": "\(AttachmentRoutes.pictureBytes)",
            "PostedText.maximumAttachments": "\(PostedText.maximumAttachments)",
            "PictureSize.maximumPixels": "\(PictureSize.maximumPixels)",
            "FileName.maximumBytes": "\(FileName.maximumBytes)",
            "EntryRoutes.maximumLinks": "\(EntryRoutes.maximumLinks)",
            "EntryRoutes.wordBytes": "\(EntryRoutes.wordBytes)",
            "EntryRoutes.bodyBytes": "\(EntryRoutes.bodyBytes)",
            "Sandbox.codeSeconds": "\(Sandbox.codeSeconds)",
            "Sandbox.codeUses": "\(Sandbox.codeUses)",
            "JoinCode.maximumTries": "\(JoinCode.maximumTries)",
            "IdempotencyClaim.maximumKeyBytes": "\(IdempotencyClaim.maximumKeyBytes)",
            "Event.maximumPayloadBytes": "\(Event.maximumPayloadBytes)",
            "FileSet.maximumBytes": "\(FileSet.maximumBytes)",
            "FileSet.maximumFiles": "\(FileSet.maximumFiles)",
        ]
        // What these hold is listed whole, so that a new member needs a row.
        let whole: [(name: String, value: Any)] = [
            ("JSONLimits", JSONLimits.standard), ("TextLimits", TextLimits()),
            ("StreamLimits", StreamLimits()),
        ]
        for (name, value) in whole {
            for child in Mirror(reflecting: value).children {
                stated["\(name).\(child.label ?? "")"] = "\(child.value)"
            }
        }
        #expect(try Self.rows(under: "Fixed") == stated)
        #expect(PostedText.maximumScalars == TextLimits().scalars)
        #expect(PostedText.maximumBytes == TextLimits().bytes)
    }
}
