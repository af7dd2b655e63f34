import DeskModel
import TestSupport
import Testing

@testable import DeskDelivery

/// Which endpoint may be sent an attempt, beside which others.
@Suite struct AttemptAdmissionTests {
    private let start = ContinuousClock.now

    private func endpoint(_ number: Int) -> WebhookID {
        WebhookID(UniqueID(high: 0xE, low: UInt64(number)))
    }

    private func at(_ seconds: Double) -> ContinuousClock.Instant {
        start.advanced(by: .milliseconds(Int(seconds * 1_000)))
    }

    /// An admission whose endpoints of these numbers each ended one attempt.
    private func admission(
        healthy: Range<Int> = 0..<0, failed: Range<Int> = 0..<0, slow: Range<Int> = 0..<0
    ) -> AttemptAdmission {
        var admission = AttemptAdmission()
        for number in Array(healthy) + Array(failed) + Array(slow) {
            #expect(admission.admit(endpoint(number), concurrency: 4, at: start) == .admitted)
            admission.end(
                endpoint(number), admittedAt: start, failed: failed.contains(number),
                at: at(slow.contains(number) ? 2.1 : 0.1))
        }
        return admission
    }

    @Test(arguments: 1...4)
    func `an endpoint has as many attempts as it may and not one more`(_ most: Int) {
        var admission = admission(healthy: 1..<3)
        for _ in 0..<most {
            #expect(admission.admit(endpoint(1), concurrency: most, at: start) == .admitted)
        }
        #expect(admission.admit(endpoint(1), concurrency: most, at: start) == .endpointIsFull)
        #expect(admission.admit(endpoint(2), concurrency: most, at: start) == .admitted)
    }

    @Test func `64 attempts run and not one more`() {
        var admission = admission(healthy: 0..<100)
        for number in 0..<64 {
            #expect(admission.admit(endpoint(number), concurrency: 4, at: start) == .admitted)
        }
        #expect(admission.admit(endpoint(99), concurrency: 4, at: start) == .allIsFull)
        admission.end(endpoint(0), admittedAt: start, failed: false, at: start)
        #expect(admission.count == 63)
        #expect(admission.admit(endpoint(99), concurrency: 4, at: start) == .admitted)
    }

    @Test(arguments: [true, false])
    func `endpoints that failed or were slow share 16 attempts, and healthy ones have the others`(
        _ areSlow: Bool
    ) {
        var admission =
            areSlow
            ? admission(healthy: 100..<201, slow: 0..<30)
            : admission(healthy: 100..<201, failed: 0..<30)
        for number in 0..<16 {
            #expect(admission.admit(endpoint(number), concurrency: 4, at: at(3)) == .admitted)
        }
        #expect(admission.admit(endpoint(20), concurrency: 4, at: at(3)) == .shareIsFull)
        for number in 100..<148 {
            #expect(admission.admit(endpoint(number), concurrency: 4, at: at(3)) == .admitted)
        }
        #expect(admission.admit(endpoint(200), concurrency: 4, at: at(3)) == .allIsFull)
    }

    @Test func `an endpoint whose attempt runs for 2 s is sick before it ends`() {
        var admission = admission(healthy: 0..<51)
        for number in 0..<16 {
            #expect(admission.admit(endpoint(number), concurrency: 4, at: start) == .admitted)
        }
        #expect(admission.admit(endpoint(0), concurrency: 4, at: at(1.99)) == .admitted)
        #expect(admission.admit(endpoint(1), concurrency: 4, at: at(2)) == .shareIsFull)
        #expect(admission.admit(endpoint(50), concurrency: 4, at: at(2)) == .admitted)
    }

    @Test func `untried endpoints share 32 attempts, one each, until one of theirs ended`() {
        var admission = admission(healthy: 100..<150)
        for number in 0..<32 {
            #expect(admission.admit(endpoint(number), concurrency: 4, at: start) == .admitted)
        }
        #expect(admission.admit(endpoint(0), concurrency: 4, at: start) == .endpointIsFull)
        #expect(admission.admit(endpoint(40), concurrency: 4, at: start) == .shareIsFull)
        #expect(admission.admit(endpoint(100), concurrency: 4, at: start) == .admitted)
        admission.end(endpoint(0), admittedAt: start, failed: false, at: at(0.1))
        #expect(admission.admit(endpoint(40), concurrency: 4, at: at(0.1)) == .admitted)
        for _ in 0..<4 {
            #expect(admission.admit(endpoint(0), concurrency: 4, at: at(0.1)) == .admitted)
        }
    }

    @Test func `attempts that run for 250 ms leave their places to others, up to 384 in all`() {
        var admission = admission(healthy: 0..<700)
        var begun = 0
        for wave in 0..<10 {
            let now = at(1 + Double(wave) * 0.25)
            while admission.admit(endpoint(begun), concurrency: 4, at: now) == .admitted {
                begun += 1
            }
            #expect(begun == min(64 * (wave + 1), 384), "wave \(wave)")
            #expect(admission.nextRelease(at: now).map { $0 > now } ?? true)
        }
    }

    @Test func `the next place is left at a time to come, however long no attempt began or ended`()
    {
        var admission = admission(healthy: 0..<1)
        #expect(admission.admit(endpoint(0), concurrency: 4, at: at(1)) == .admitted)
        #expect(admission.nextRelease(at: at(1.1)) == at(1.25))
        #expect(admission.nextRelease(at: at(1.3)) == nil)
        #expect(admission.freshCount == 0)
    }

    @Test func `the next place is left by an attempt that runs, whatever ended before it`() {
        var admission = admission(healthy: 0..<3)
        for number in 0..<3 {
            let now = at(1 + Double(number) * 0.1)
            #expect(admission.admit(endpoint(number), concurrency: 4, at: now) == .admitted)
        }
        admission.end(endpoint(0), admittedAt: at(1), failed: false, at: at(1.2))
        admission.end(endpoint(2), admittedAt: at(1.2), failed: false, at: at(1.2))
        #expect(admission.nextRelease(at: at(1.2)) == at(1.35))
        admission.end(endpoint(1), admittedAt: at(1.1), failed: false, at: at(1.3))
        #expect(admission.nextRelease(at: at(1.3)) == nil)
    }

    @Test func `of those in all, the last 64 are for healthy endpoints alone`() {
        var admission = admission(healthy: 1_000..<1_100)
        for number in 0..<320 {
            let now = at(1 + Double(number / 32) * 0.25)
            #expect(admission.admit(endpoint(number), concurrency: 4, at: now) == .admitted)
        }
        let now = at(6)
        #expect(admission.admit(endpoint(500), concurrency: 4, at: now) == .shareIsFull)
        #expect(admission.admit(endpoint(0), concurrency: 4, at: now) == .shareIsFull)
        for number in 1_000..<1_064 {
            #expect(admission.admit(endpoint(number), concurrency: 4, at: now) == .admitted)
        }
        #expect(admission.admit(endpoint(1_064), concurrency: 4, at: now) == .allIsFull)
    }

    @Test func `the places that are counted are those of the attempts that run`() {
        var random = SeededRandom(seed: 7)
        var admission = AttemptAdmission()
        var running: [(id: WebhookID, begin: ContinuousClock.Instant)] = []
        for step in 0..<20_000 {
            let now = at(Double(step) * 0.01)
            if let one = running.randomElement(using: &random), Bool.random(using: &random) {
                running.removeAll { $0.id == one.id && $0.begin == one.begin }
                admission.end(
                    one.id, admittedAt: one.begin,
                    failed: Int.random(in: 0..<3, using: &random) == 0,
                    at: now)
            }
            let id = endpoint(Int.random(in: 0..<200, using: &random))
            if admission.admit(id, concurrency: 4, at: now) == .admitted {
                running.append((id, now))
            }
            #expect(admission.count == running.count)
            let sick = running.count { admission.isSick($0.id, at: now) }
            #expect(admission.sickCount == sick, "step \(step)")
            #expect(
                admission.freshCount
                    == running.count { $0.begin.duration(to: now) < AttemptAdmission.patience })
        }
    }

    @Test func `an attempt that succeeds soon makes an endpoint healthy again`() {
        var admission = admission(failed: 0..<17)
        for number in 0..<16 {
            #expect(admission.admit(endpoint(number), concurrency: 4, at: at(3)) == .admitted)
        }
        #expect(admission.admit(endpoint(16), concurrency: 4, at: at(3)) == .shareIsFull)
        admission.end(endpoint(0), admittedAt: at(3), failed: false, at: at(3.5))
        #expect(!admission.isSick(endpoint(0), at: at(3.5)))
        #expect(admission.admit(endpoint(16), concurrency: 4, at: at(3.5)) == .admitted)
        #expect(admission.admit(endpoint(0), concurrency: 4, at: at(3.5)) == .admitted)
    }

    @Test func `an endpoint that failed in another process is sick from the first attempt on`() {
        var admission = AttemptAdmission()
        admission.noteFailing(endpoint(1))
        #expect(admission.isSick(endpoint(1), at: start))
        admission.forget(endpoint(1))
        #expect(!admission.isSick(endpoint(1), at: start))
    }
}
