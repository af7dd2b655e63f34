import Testing

@testable import DeskWeb

/// Which changes of the level leave a line.
struct DiskLinesTests {
    /// What happens at a time: a look finds a level, or a write fails.
    private enum Step: Sendable {
        case look(DiskLevel)
        case failure
    }

    private static let begin = ContinuousClock.now

    /// The tenths of seconds at which lines are due.
    private func due(_ steps: [(tenth: Int, step: Step)]) -> [Int] {
        var lines = DiskLines()
        return steps.compactMap { (tenth, step) -> Int? in
            let now = Self.begin + .milliseconds(100 * tenth)
            let isDue =
                switch step {
                case .look(let level): lines.note(level, at: now)
                case .failure: lines.noteFailure()
                }
            return isDue ? tenth : nil
        }
    }

    @Test func `each level has a line, however soon it follows another`() {
        #expect(
            due([
                (0, .look(.roomy)), (1, .look(.low)), (2, .look(.full)), (3, .look(.full)),
                (42, .look(.low)), (43, .look(.roomy)),
            ]) == [1, 2, 43])
    }

    @Test func `a level at the edge of a mark has a line each ten seconds, and the last one holds`()
    {
        let edge = (0..<250).map { (tenth: $0, step: Step.look($0 % 2 == 0 ? .full : .roomy)) }
        let lines = due(edge + [(400, .look(.full)), (401, .look(.full))])
        #expect(lines == [0, 1, 100, 101, 200, 201, 400])
        // What is held back is due as soon as it may be.
        #expect(due([(0, .look(.full)), (1, .look(.roomy)), (2, .look(.full))]) == [0, 1])
        let held = (2...120).map { (tenth: $0, step: Step.look(.full)) }
        #expect(due([(0, .look(.full)), (1, .look(.roomy))] + held) == [0, 1, 100])
    }

    @Test func `failed writes have one line, and no look recovers from them within ten seconds`() {
        var steps: [(tenth: Int, step: Step)] = []
        for second in 0..<60 {
            steps.append((second * 10, .failure))
            steps.append((second * 10 + 1, .look(.roomy)))
        }
        #expect(due(steps) == [0])
        let quiet = (600...720).map { (tenth: $0, step: Step.look(.roomy)) }
        #expect(due(steps + quiet) == [0, 691])
    }
}
