extension Tape {
    /// Parses the whole text.
    static func parse(_ bytes: [UInt8], limits: JSONLimits) throws(JSONError) -> Tape {
        do throws(Parser.Fault) {
            guard bytes.count < Int(UInt32.max) else {
                throw Parser.Fault(code: .textTooLong, at: 0)
            }
            try refuseForeignEncoding(bytes)
            return try parseTape(bytes, limits: limits)
        } catch {
            throw JSONError(error, in: bytes, limits: limits)
        }
    }

    private static func parseTape(
        _ bytes: [UInt8], limits: JSONLimits
    ) throws(Parser.Fault) -> Tape {
        var nodes: [Node] = []
        var depth = 0
        let outcome: Result<Void, Parser.Fault> = unsafe bytes.withUnsafeBufferPointer { text in
            guard let base = text.baseAddress else {
                return .failure(Parser.Fault(code: .emptyText, at: 0))
            }
            var parser = unsafe Parser(
                text: ParserText(text: base, end: text.count), limits: limits)
            // Real payloads have an entry every 10 to 14 bytes; a picture has none for 300 KB.
            var capacity = min(text.count / 8 + 4, 1024)
            while true {
                do throws(Parser.Fault) {
                    let before = nodes
                    var isDone = false
                    nodes = try longer(before, capacity: capacity, with: &parser, &isDone)
                    depth = parser.deepest
                    if isDone { return .success(()) }
                } catch {
                    return .failure(error)
                }
                capacity *= 2
            }
        }
        do { try outcome.get() } catch { throw error }
        return Tape(bytes: bytes, nodes: nodes, depth: depth, limits: limits)
    }

    /// A longer tape that starts with the entries so far, filled further by the parser.
    private static func longer(
        _ before: [Node], capacity: Int, with parser: inout Parser, _ isDone: inout Bool
    ) throws(Parser.Fault) -> [Node] {
        var fault: Parser.Fault?
        let nodes = unsafe [Node](unsafeUninitializedCapacity: capacity) { tape, count in
            unsafe before.withUnsafeBufferPointer { old in
                unsafe _ = tape.update(fromContentsOf: old)
            }
            do throws(Parser.Fault) {
                isDone = unsafe try parser.run(into: tape)
            } catch {
                fault = error
            }
            count = parser.made
        }
        if let fault { throw fault }
        return nodes
    }

    private static func refuseForeignEncoding(_ bytes: [UInt8]) throws(Parser.Fault) {
        guard bytes.count >= 2 else { return }
        switch (bytes[0], bytes[1]) {
        case (0xFE, 0xFF), (0xFF, 0xFE), (0, _), (_, 0):
            throw Parser.Fault(code: .notUTF8, at: 0)
        case (0xEF, 0xBB) where bytes.count >= 3 && bytes[2] == 0xBF:
            throw Parser.Fault(code: .byteOrderMark, at: 0)
        default: return
        }
    }
}
