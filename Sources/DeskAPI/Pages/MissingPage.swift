import DeskHTTP
public import DeskWeb

/// The page of an address that has none.
///
/// A person's browser gets it in the place of the refusal that programs read, with the same status.
public struct MissingPage: Sendable {
    private let file: FileSet.File

    /// Makes it of the shell's file.
    public init(_ file: FileSet.File) {
        self.file = file
    }

    /// Puts the page into a refusal with status 404, where a person asked for a page; the API always
    /// answers in JSON.
    func replace(_ response: inout Response, for request: Request, isSecure: Bool) {
        guard response.status == .notFound, request.path.segments.first != "api",
            request.method == .get || request.method == .head,
            AcceptedType.isNamed("text/html", by: request.headers), let bytes = file.bytes
        else { return }
        response.body = .bytes(bytes)
        response.headers.set("Content-Type", file.type)
        response.headers.set("Vary", "Accept")
        PageHeaders.add(to: &response, for: request, isSecure: isSecure)
    }
}
