import DeskHTTP
import DeskJSON
import DeskMessages
import DeskModel
import DeskWeb

extension MCPTool {
    static let checking: [MCPTool] = [validateMessage, lintMessage, fixMessage, previewMessage]

    private static let validateMessage = MCPTool(
        name: "validate_message", title: "Validate a message",
        description: """
            Judges a message by the rulebook without sending it: every finding with its place, what is allowed \
            and what to do. With a conversation it is judged as it would be sent there.
            """,
        permission: .checkMessages, effect: .reads,
        properties: [
            ("message", messageSchema), ("conversation", conversationSchema),
            ("business", businessSchema),
        ], required: ["message"]
    ) { call in
        Result(
            await call.own.ask(
                .post, "/api/validate",
                query: [
                    ("conversation", call.text("conversation")),
                    ("business", call.text("conversation") == nil ? call.text("business") : nil),
                ], body: call.message))
    }

    private static let textSchema = words(
        "The payload as text, as it was received or written; it need not be JSON.", most: 262_144)
    private static let directionSchema: JSON = [
        "enum": ["outbound", "inbound"], "default": "outbound",
        "description": "Which way the payload travels.",
    ]

    private static let lintMessage = MCPTool(
        name: "lint_message", title: "Lint a payload",
        description: """
            Looks at the text of a payload as `frontdesk lint` and `frontdesk doctor` do: what rules it breaks, \
            and what happened to its bytes on the way, such as two encodings or a log's escapes.
            """,
        permission: .checkMessages, effect: .reads,
        properties: [
            ("text", textSchema), ("direction", directionSchema),
            (
                "profile",
                [
                    "enum": ["strict", "lenient"],
                    "description": "How strict: as this server sends, or as gateways receive.",
                ]
            ),
        ], required: ["text"]
    ) { call in
        let text = Array((call.text("text") ?? "").utf8)
        let judged = await call.own.ask(
            .post, "/api/validate",
            query: [
                ("direction", call.text("direction")), ("profile", call.text("profile")),
            ], body: text)
        guard judged.isSuccess || judged.status == 422 || judged.status == 400 else {
            return Result(judged)
        }
        let diagnosis = await call.own.ask(.post, "/api/doctor", body: text)
        guard diagnosis.isSuccess else { return Result(diagnosis) }
        return Result([
            "accepted": .bool(judged.isSuccess), "verdict": .raw(judged.body),
            "diagnosis": .raw(diagnosis.body),
        ])
    }

    private static let fixMessage = MCPTool(
        name: "fix_message", title: "Fix a payload",
        description: """
            Repairs what can be repaired in the text of a payload without guessing: first its encoding, then all \
            that a finding has an edit for. Answers with the fixed text, what was done and what is left.
            """,
        permission: .checkMessages, effect: .reads,
        properties: [("text", textSchema), ("direction", directionSchema)], required: ["text"]
    ) { call in
        var text = Array((call.text("text") ?? "").utf8)
        let answer = await call.own.ask(.post, "/api/doctor", body: text)
        guard answer.isSuccess, let diagnosis = JSONValue.parsed(answer.body) else {
            return Result(answer)
        }
        if let repaired = diagnosis["repaired"]?.stringBytes { text = repaired }
        let services = call.context.services
        let context = JudgementContext(
            direction: call.text("direction").flatMap { Direction(rawValue: $0) } ?? .outbound,
            now: services.time.now(), plainOrigin: services.plainOrigin)
        var fixing = Fixing(text: text, judgement: services.rulebook.judge(text, context))
        fixing.run { services.rulebook.judge($0, context) }
        let left = fixing.judgement
        return Result([
            "text": .string(String(decoding: fixing.text, as: UTF8.self)),
            "defects": diagnosis["defects"].map { .raw(Array($0.rawBytes)) } ?? [],
            "fixed": .array(fixing.applied.map(\.json)),
            "accepted": .bool(!left.isRefused), "fault": .optional(left.fault?.sentence),
            "findings": .array(left.findings.map(\.json)),
        ])
    }

    private static let previewMessage = MCPTool(
        name: "preview_message", title: "Preview a message",
        description: """
            Shows what a customer would read of a message or card, line by line in its order, after it was judged \
            by the rulebook. Nothing is sent.
            """,
        permission: .checkMessages, effect: .reads,
        properties: [
            ("message", messageSchema), ("conversation", conversationSchema),
        ], required: ["message"]
    ) { call in
        let posted = call.message ?? []
        let judged = await call.own.ask(
            .post, "/api/validate", query: [("conversation", call.text("conversation"))],
            body: posted)
        guard judged.isSuccess, let verdict = JSONValue.parsed(judged.body),
            let payload = JSONValue.parsed(posted)
        else { return Result(judged) }
        let pieces = ReadableText.pieces(of: payload)
        return Result([
            "kind": verdict["kind"].map { .raw(Array($0.rawBytes)) } ?? .null,
            "summary": verdict["summary"].map { .raw(Array($0.rawBytes)) } ?? .null,
            "lines": .array(pieces.map { .string($0) }),
            "findings": verdict["findings"].map { .raw(Array($0.rawBytes)) } ?? [],
        ])
    }
}
