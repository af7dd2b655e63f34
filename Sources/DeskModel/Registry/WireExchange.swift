/// One exchange with a provider or an upstream gateway, kept so that people can see what went over the wire.
///
/// Secrets are blanked before an exchange is made; bodies are cut.
public struct WireExchange: Hashable, Sendable {
    /// Most bytes kept of either body.
    public static let maximumBodyBytes = 65_536
    /// Most exchanges kept of one link; older ones are forgotten.
    public static let maximumKept = 10_000

    /// Who asked whom.
    public enum Course: String, Sendable, CaseIterable {
        /// They asked us.
        case received
        /// We asked them.
        case sent
    }

    /// One side's part of an exchange.
    public struct Part: Hashable, Sendable {
        /// The fields, secrets blanked.
        public let headers: [HeaderField]
        /// The body as text would show it: unpacked, cut at 64 KiB.
        public let body: [UInt8]
        /// How many bytes it had on the wire.
        public let byteCount: Int

        /// Cuts the body.
        public init(headers: [HeaderField], body: [UInt8], byteCount: Int) {
            self.headers = headers
            self.body = Array(body.prefix(WireExchange.maximumBodyBytes))
            self.byteCount = byteCount
        }
    }

    /// Its number, given by the store; rises.
    public var number: Int64
    /// Over which link.
    public let link: GatewayLinkID
    /// Whose.
    public let business: BusinessID
    /// In which conversation, when that is known.
    public var conversation: ConversationID?
    /// About which message, when it is about one.
    public var message: MessageID?
    /// Who asked.
    public let course: Course
    /// When it began.
    public let time: Timestamp
    /// The duration in milliseconds.
    public let milliseconds: Int
    /// The method and the address asked for.
    public let method: String
    /// The path or the whole address.
    public let target: String
    /// What was asked.
    public let request: Part
    /// The status answered; nil when no answer came.
    public let status: Int?
    /// What was answered.
    public let answer: Part
    /// What was found in it or happened to it, as a JSON array's text; empty when nothing.
    public let findings: [UInt8]

    /// Puts an exchange together; the store numbers it.
    public init(
        number: Int64 = 0, link: GatewayLinkID, business: BusinessID,
        conversation: ConversationID? = nil, message: MessageID? = nil, course: Course,
        time: Timestamp, milliseconds: Int, method: String, target: String, request: Part,
        status: Int?, answer: Part, findings: [UInt8] = []
    ) {
        self.number = number
        self.link = link
        self.business = business
        self.conversation = conversation
        self.message = message
        self.course = course
        self.time = time
        self.milliseconds = milliseconds
        self.method = method
        self.target = target
        self.request = request
        self.status = status
        self.answer = answer
        self.findings = findings
    }

    /// Whether it has fields or bodies; without them its findings are words of our own alone.
    package var hasContent: Bool {
        !(request.headers.isEmpty && request.body.isEmpty && answer.body.isEmpty)
    }

    /// The exchange without what was said in it.
    package var emptied: WireExchange {
        WireExchange(
            number: number, link: link, business: business, conversation: conversation,
            message: message, course: course, time: time, milliseconds: milliseconds,
            method: method, target: target,
            request: Part(headers: [], body: [], byteCount: request.byteCount), status: status,
            answer: Part(headers: [], body: [], byteCount: answer.byteCount))
    }
}
