import DeskHTTP
import DeskJSON
public import DeskWeb

/// The description of every route, as it lies in docs/openapi.json, with this server's address in it.
public struct OpenAPIDocument: Sendable {
    /// The text as it is served.
    public let bytes: [UInt8]

    /// Puts the address in place of the first server's; nil when the text is no such document.
    public init?(_ text: [UInt8], publicURL: PublicURL) {
        // Safe: nil reports a document that cannot be read.
        guard let document = try? JSONDocument(parsing: text, limits: .unlimited),
            let url = document.root["servers"]?[0]?["url"], url.kind == .string
        else { return nil }
        var filled = Array(text[..<url.range.lowerBound])
        JSONWriter.append(publicURL.origin, to: &filled)
        filled.append(contentsOf: text[url.range.upperBound...])
        bytes = filled
    }
}

extension RouteTable {
    /// Adds the description of all routes; without its file the route answers 404.
    public mutating func addOpenAPI(_ file: FileSet.File?) {
        add(.get, "/api/openapi.json", operation: "getOpenAPI", permission: .open) {
            context async throws(Problem) in
            guard let text = file?.bytes,
                let document = OpenAPIDocument(text, publicURL: context.services.publicURL)
            else { throw .notFound }
            return .json(document.bytes)
        }
    }
}
