import DeskJSON
import DeskModel
import DeskWeb

/// The body of a request that sends one payload: the payload itself, or an object that has it beside metadata.
struct SentBody {
    /// The payload in an object around it; nil where the body is the payload itself.
    let payload: JSONDocument?
    /// What is kept with the message.
    let metadata: Metadata

    /// Reads a body.
    ///
    /// A payload is not parsed here: an object around one begins with a member that no payload has.
    /// - Throws: `malformed_json`, or `invalid` with what is wrong around the payload.
    init(_ body: [UInt8]) throws(Problem) {
        guard Self.mayBeAround(body) else {
            payload = nil
            metadata = Metadata()
            return
        }
        let document: JSONDocument
        do {
            // One level and a few values more than a payload may have.
            document = try JSONDocument(
                parsing: body, limits: JSONLimits(depth: 65, nodes: 20_200))
        } catch {
            throw Problem(error)
        }
        guard document.root["type"] == nil else {
            payload = nil
            metadata = Metadata()
            return
        }
        var fields = try Fields(document.root)
        let found = fields.requireValue("payload")
        metadata = fields.metadata()
        try fields.finish()
        do {
            payload = try found?.detached()
        } catch {
            throw Problem(error)
        }
    }

    /// Whether the first member is one of those around a payload.
    private static func mayBeAround(_ body: [UInt8]) -> Bool {
        var rest = body[...].drop { isSpace($0) }
        guard rest.popFirst() == UInt8(ascii: "{") else { return false }
        rest = rest.drop { isSpace($0) }
        return rest.starts(with: Array(#""payload""#.utf8))
            || rest.starts(with: Array(#""metadata""#.utf8))
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
    }
}
