package import DeskHTTP
package import DeskJSON

/// A response with what tests ask of it.
package struct Answer: Sendable {
    package let response: Response

    package init(response: Response) { self.response = response }

    package var status: Int { response.status.code }
    package var headers: HeaderFields { response.headers }

    /// The body's bytes; none for streams.
    package var bytes: [UInt8] {
        switch response.body {
        case .bytes(let bytes): bytes
        case .empty, .cut, .file, .openFile, .stream, .counted, .steps, .socketSteps: []
        }
    }

    package var text: String { String(decoding: bytes, as: UTF8.self) }

    /// The body as JSON; nil when it is none.
    package var document: JSONDocument? {
        bytes.isEmpty ? nil : try? JSONDocument(parsing: bytes, limits: .unlimited)
    }

    /// A member of the body.
    package subscript(_ name: String) -> JSONValue? { document?.root[name] }

    /// The problem's code; nil when the answer is no problem.
    package var code: String? {
        headers["content-type"] == "application/problem+json" ? self["code"]?.string : nil
    }

    /// The value of a cookie that is set.
    package func cookie(_ name: String) -> String? {
        for line in headers.values("set-cookie") where line.hasPrefix(name + "=") {
            return String(line.dropFirst(name.count + 1).prefix { $0 != ";" })
        }
        return nil
    }
}
