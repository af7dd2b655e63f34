/// A pattern as places and the bytes that lead from one to the next.
struct PatternGraph {
    /// What can be done at a place.
    enum Step {
        /// Consume a byte of the range and continue.
        case byte(ClosedRange<UInt8>, to: Int)
        /// Continue at each of the places.
        case jump([Int])
        /// Continue only at the start of the text, or only at its end.
        case ifStart(to: Int), ifEnd(to: Int)
        case match
    }

    /// Patterns with more places than this are left to the engine.
    private static let mostSteps = 1_000

    private(set) var steps: [Step] = [.match]
    private(set) var first = 0

    /// nil when it would be too large.
    init?(_ node: PatternNode) {
        guard let start = add(node, before: 0) else { return nil }
        first = start
    }

    private mutating func add(_ step: Step) -> Int? {
        guard steps.count < PatternGraph.mostSteps else { return nil }
        steps.append(step)
        return steps.count - 1
    }

    /// Adds the places of a tree that continues at `after`; returns its start.
    private mutating func add(_ node: PatternNode, before after: Int) -> Int? {
        switch node {
        case .start: return add(.ifStart(to: after))
        case .end: return add(.ifEnd(to: after))
        case .sequence(let parts):
            var next = after
            for part in parts.reversed() {
                guard let place = add(part, before: next) else { return nil }
                next = place
            }
            return next
        case .choice(let branches):
            var targets: [Int] = []
            for branch in branches {
                guard let place = add(branch, before: after) else { return nil }
                targets.append(place)
            }
            return add(.jump(targets))
        case .scalars(let ranges):
            var targets: [Int] = []
            for sequence in ranges.flatMap({ ScalarBytes.sequences(of: $0) }) {
                var next = after
                for range in sequence.reversed() {
                    guard let place = add(.byte(range, to: next)) else { return nil }
                    next = place
                }
                targets.append(next)
            }
            return targets.count == 1 ? targets[0] : add(.jump(targets))
        case .repetition(let part, let least, let most):
            return addRepetition(part, least, most, before: after)
        }
    }

    private mutating func addRepetition(
        _ part: PatternNode, _ least: Int, _ most: Int?, before after: Int
    ) -> Int? {
        var next = after
        if let most {
            for _ in least..<max(least, most) {
                guard let inner = add(part, before: next), let place = add(.jump([inner, after]))
                else { return nil }
                next = place
            }
        } else {
            guard let loop = add(.jump([])), let inner = add(part, before: loop) else {
                return nil
            }
            steps[loop] = .jump([inner, after])
            next = loop
        }
        for _ in 0..<least {
            guard let place = add(part, before: next) else { return nil }
            next = place
        }
        return next
    }
}
