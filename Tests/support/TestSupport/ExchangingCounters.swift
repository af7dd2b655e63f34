package import DeskModel
import Synchronization

/// Counters of several processes that say later what each counted.
package final class ExchangingCounters: Sendable {
    /// What one process has counted since the last exchange.
    private final class Node: CounterSource {
        enum Report {
            case debit(String, CounterSubject, Double)
            case failures(String, CounterSubject, Int)
            case cleared(String, CounterSubject)
        }

        let reports = Mutex<[Report]>([])
        let rates = Mutex<[String: any RateCounter]>([:])
        let failed = Mutex<[String: any FailureCounter]>([:])

        func rate(_ name: String, _ rate: Rate, maximumSubjects: Int) -> any RateCounter {
            let own = LocalCounters().rate(name, rate, maximumSubjects: maximumSubjects)
            rates.withLock { $0[name] = own }
            return ReportingRate(own: own, name: name, node: self)
        }

        func reservations(_ name: String) -> any ReservationCounter {
            LocalCounters().reservations(name)
        }

        func failures(
            _ name: String, _ waits: FailureWaits, maximumSubjects: Int
        ) -> any FailureCounter {
            let own = LocalCounters().failures(name, waits, maximumSubjects: maximumSubjects)
            failed.withLock { $0[name] = own }
            return ReportingFailures(own: own, name: name, node: self)
        }

        func report(_ report: Report) { reports.withLock { $0.append(report) } }

        func apply(_ report: Report, at now: ContinuousClock.Instant) {
            switch report {
            case .debit(let name, let subject, let tokens):
                rates.withLock { $0[name] }?.debit(tokens, of: subject, at: now)
            case .failures(let name, let subject, let count):
                failed.withLock { $0[name] }?.note(count, of: subject, at: now)
            case .cleared(let name, let subject):
                failed.withLock { $0[name] }?.clear(subject)
            }
        }
    }

    private struct ReportingRate: RateCounter {
        let own: any RateCounter
        let name: String
        let node: Node

        var rate: Rate { own.rate }

        func take(
            _ tokens: Double, by subject: CounterSubject, at now: ContinuousClock.Instant
        ) -> RateVerdict {
            let verdict = own.take(tokens, by: subject, at: now)
            if verdict.isAllowed { node.report(.debit(name, subject, tokens)) }
            return verdict
        }

        func giveBack(
            _ tokens: Double, to subject: CounterSubject, at now: ContinuousClock.Instant
        ) {
            own.giveBack(tokens, to: subject, at: now)
            node.report(.debit(name, subject, -tokens))
        }

        func debit(_ tokens: Double, of subject: CounterSubject, at now: ContinuousClock.Instant) {
            own.debit(tokens, of: subject, at: now)
        }
    }

    private struct ReportingFailures: FailureCounter {
        let own: any FailureCounter
        let name: String
        let node: Node

        func wait(of subject: CounterSubject, at now: ContinuousClock.Instant) -> Duration {
            own.wait(of: subject, at: now)
        }

        func note(_ failures: Int, of subject: CounterSubject, at now: ContinuousClock.Instant) {
            own.note(failures, of: subject, at: now)
            node.report(.failures(name, subject, failures))
        }

        func clear(_ subject: CounterSubject) {
            own.clear(subject)
            node.report(.cleared(name, subject))
        }
    }

    private let nodes: [Node]

    /// As many processes that never exchanged anything.
    package init(_ count: Int) { nodes = (0..<count).map { _ in Node() } }

    /// The counters of each process.
    package var sources: [any CounterSource] { nodes }

    /// Counts in every process what the others counted since the last exchange.
    package func exchange(at now: ContinuousClock.Instant) {
        for (place, node) in nodes.enumerated() {
            let reports = node.reports.withLock { reports in
                defer { reports = [] }
                return reports
            }
            for other in nodes.indices where other != place {
                for report in reports { nodes[other].apply(report, at: now) }
            }
        }
    }
}
