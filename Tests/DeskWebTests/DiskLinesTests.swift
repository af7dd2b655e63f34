import Testing

@testable import DeskWeb

/// Which changes of the level leave a line.
struct DiskLinesTests {
    /// What happens at a time: a look finds a level, or a write fails.
    private enum Step: Sendable {
        case look(DiskLevel)
        case failure
    }

    /// Steps with the tenths of seconds at which they happen.
    private typealias Steps = [(tenth: Int, step: Step)]

    private static let begin = ContinuousClock.now

    /// The tenths of seconds at which lines are due.
    private func due(_ steps: Steps) -> [Int] {
        var lines = DiskLines()
        var due: [Int] = []
        for (tenth, step) in steps {
            let isDue: Bool
            switch step {
            case .look(let level):
                isDue = lines.note(level, at: Self.begin + .milliseconds(100 * tenth))
            case .failure: isDue = lines.noteFailure()
            }
            if isDue { due.append(tenth) }
        }
        return due
    }

    /// Looks that all find one level, a tenth of a second apart.
    private func looks(_ tenths: ClosedRange<Int>, _ level: DiskLevel) -> Steps {
        tenths.map { (tenth: $0, step: Step.look(level)) }
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
        var edge: Steps = []
        for tenth in 0..<250 { edge.append((tenth, .look(tenth % 2 == 0 ? .full : .roomy))) }
        let lines = due(edge + looks(400...401, .full))
        #expect(lines == [0, 1, 100, 101, 200, 201, 400])
        // What is held back is due as soon as it may be.
        #expect(due([(0, .look(.full)), (1, .look(.roomy)), (2, .look(.full))]) == [0, 1])
        let held = looks(0...0, .full) + looks(1...1, .roomy) + looks(2...120, .full)
        #expect(due(held) == [0, 1, 100])
    }

    @Test func `failed writes have one line, and no look recovers from them within ten seconds`() {
        var steps: Steps = []
        for second in 0..<60 {
            steps.append((second * 10, .failure))
            steps.append((second * 10 + 1, .look(.roomy)))
        }
        #expect(due(steps) == [0])
        #expect(due(steps + looks(600...720, .roomy)) == [0, 691])
    }
}
