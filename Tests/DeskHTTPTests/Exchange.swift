import DeskHTTP

/// Reads a whole connection's bytes in pieces and writes down how they were read.
struct Exchange {
    /// One thing found: a request with its body, or the refusal that ends the connection.
    enum Found: Equatable, CustomStringConvertible {
        case request(String, body: String)
        case refused(Int, String)
        case unfinished

        var description: String {
            switch self {
            case .request(let line, let body): "\(line) [\(body)]"
            case .refused(let status, let code): "\(status) \(code)"
            case .unfinished: "unfinished"
            }
        }
    }

    /// Reads the bytes in pieces that end where `cuts` say.
    static func read(
        _ bytes: [UInt8], cuts: [Int] = [], limits: ServerLimits = ServerLimits()
    ) -> [Found] {
        var exchange = Exchange(limits: limits)
        var start = 0
        for end in cuts + [bytes.count] where end > start {
            if !exchange.feed(Array(bytes[start..<end])) { break }
            start = end
        }
        return exchange.found + (exchange.isOpen ? [.unfinished] : [])
    }

    private let limits: ServerLimits
    private var parser: RequestParser
    private var head: RequestHead?
    private var decoder: BodyDecoder?
    private var body: [UInt8] = []
    private var found: [Found] = []

    private init(limits: ServerLimits) {
        self.limits = limits
        parser = RequestParser(limits: limits)
    }

    private var isOpen: Bool { parser.isInsideHead || decoder != nil }

    /// False when the connection was refused: nothing after it may be read.
    private mutating func feed(_ piece: [UInt8]) -> Bool {
        var start = 0
        while start < piece.count || finishesBody {
            if decoder != nil {
                do throws(RequestProblem) {
                    start += try decode(piece, from: start)
                } catch { return refuse(error) }
                guard finishesBody else { return true }
                note()
                continue
            }
            switch parser.parse(piece.span.extracting(start..<piece.count)) {
            case .needsMore: return true
            case .refused(let problem): return refuse(problem)
            case .complete(let next, let taken):
                start += taken
                head = next
                decoder = BodyDecoder(next.framing, limits: limits)
            }
        }
        return true
    }

    private var finishesBody: Bool { decoder?.isComplete ?? false }

    private mutating func decode(_ piece: [UInt8], from start: Int) throws(RequestProblem) -> Int {
        guard var decoder else { return 0 }
        let taken = try decoder.decode(
            piece.span.extracting(start..<piece.count), into: &body, upTo: .max)
        self.decoder = decoder
        return taken
    }

    private mutating func note() {
        if let head {
            found.append(
                .request(
                    "\(head.method.token) \(head.target) \(head.host)",
                    body: String(decoding: body, as: UTF8.self)))
        }
        head = nil
        decoder = nil
        body = []
    }

    private mutating func refuse(_ problem: RequestProblem) -> Bool {
        parser = RequestParser(limits: limits)
        decoder = nil
        found.append(.refused(problem.status.code, problem.code))
        return false
    }
}

/// Numbers by chance that a seed repeats.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
