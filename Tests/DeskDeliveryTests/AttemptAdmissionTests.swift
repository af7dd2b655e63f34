import DeskModel
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
    private func admission(failed: Range<Int> = 0..<0, slow: Range<Int> = 0..<0)
        -> AttemptAdmission
    {
        var admission = AttemptAdmission()
        for number in Array(failed) + Array(slow) {
            #expect(admission.admit(endpoint(number), concurrency: 4, at: start) == .admitted)
            admission.end(
                endpoint(number), admittedAt: start, failed: failed.contains(number),
                at: at(slow.contains(number) ? 2.1 : 0.1))
        }
        return admission
    }

    @Test(arguments: 1...4)
    func `an endpoint has as many attempts as it may and not one more`(_ most: Int) {
        var admission = AttemptAdmission()
        for _ in 0..<most {
            #expect(admission.admit(endpoint(1), concurrency: most, at: start) == .admitted)
        }
        #expect(admission.admit(endpoint(1), concurrency: most, at: start) == .endpointIsFull)
        #expect(admission.admit(endpoint(2), concurrency: most, at: start) == .admitted)
    }

    @Test func `64 attempts run and not one more`() {
        var admission = AttemptAdmission()
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
        var admission = areSlow ? admission(slow: 0..<30) : admission(failed: 0..<30)
        for number in 0..<16 {
            #expect(admission.admit(endpoint(number), concurrency: 4, at: at(3)) == .admitted)
        }
        #expect(admission.admit(endpoint(20), concurrency: 4, at: at(3)) == .sickShareIsFull)
        for number in 100..<148 {
            #expect(admission.admit(endpoint(number), concurrency: 4, at: at(3)) == .admitted)
        }
        #expect(admission.admit(endpoint(200), concurrency: 4, at: at(3)) == .allIsFull)
    }

    @Test func `an endpoint whose attempt runs for more than 2 s is sick before it ends`() {
        var admission = AttemptAdmission()
        for number in 0..<16 {
            #expect(admission.admit(endpoint(number), concurrency: 4, at: start) == .admitted)
        }
        #expect(admission.admit(endpoint(0), concurrency: 4, at: at(2)) == .admitted)
        #expect(admission.admit(endpoint(1), concurrency: 4, at: at(2.1)) == .sickShareIsFull)
        #expect(admission.admit(endpoint(50), concurrency: 4, at: at(2.1)) == .admitted)
    }

    @Test func `an attempt that succeeds soon makes an endpoint healthy again`() {
        var admission = admission(failed: 0..<17)
        for number in 0..<16 {
            #expect(admission.admit(endpoint(number), concurrency: 4, at: at(3)) == .admitted)
        }
        #expect(admission.admit(endpoint(16), concurrency: 4, at: at(3)) == .sickShareIsFull)
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
