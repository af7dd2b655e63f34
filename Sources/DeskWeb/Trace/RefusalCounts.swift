import DeskLog

/// Counts refusals by their code; all codes are shown from the start.
struct RefusalCounts: Sendable {
    private let counters: [ProblemCode: Counter]

    package init(_ metrics: Metrics) {
        counters = Dictionary(
            uniqueKeysWithValues: ProblemCode.allCases.map { code in
                (
                    code,
                    metrics.counter(
                        "frontdesk_refused_total",
                        help: "Requests, and messages of a batch, refused by the API, by reason.",
                        labels: ["reason": code.rawValue])
                )
            })
    }

    package func count(_ code: ProblemCode) { counters[code]?.add() }
}
