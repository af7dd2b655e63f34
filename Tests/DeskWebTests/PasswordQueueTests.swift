import DeskCrypto
import DeskModel
import Dispatch
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import DeskWeb

/// Limits of the queue of passwords: what is accepted at the limit, and one beyond it.
struct PasswordQueueTests {
    private struct QueueSize: Sendable {
        let atOnce: Int
        let queue: Int
    }

    /// How many derivations began, and whether all of them were seen to.
    private final class Course: Sendable {
        let begun = Atomic(0)
        let isSeen = Atomic(false)
    }

    // The shared pool has about as many threads as there are processors: it could not work on so many at once.
    @Test func `passwords are worked on by threads of their own, and not by those of all tasks`()
        async throws
    {
        var limits = WebLimits()
        limits.passwordsAtOnce = 8 * sysconf(Int32(_SC_NPROCESSORS_ONLN))
        let (queue, course, count) = (
            PasswordQueue(limits: limits), Course(), limits.passwordsAtOnce
        )
        let late = try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<count {
                group.addTask {
                    try await queue.work { () throws(CryptoError) in
                        course.begun.add(1, ordering: .relaxed)
                        let end = ContinuousClock.now + .seconds(20)
                        while !course.isSeen.load(ordering: .relaxed) {
                            if ContinuousClock.now > end { return [1] }
                        }
                        return []
                    } == [1]
                }
            }
            try await Wait.until("all are worked on") {
                course.begun.load(ordering: .relaxed) == count
            }
            course.isSeen.store(true, ordering: .relaxed)
            return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(late == 0)
    }

    @Test(arguments: [QueueSize(atOnce: 2, queue: 256), QueueSize(atOnce: 3, queue: 1)])
    private func `as many passwords as work and wait are accepted, one more is 503`(
        row: QueueSize
    ) async throws {
        var limits = WebLimits()
        limits.passwordsAtOnce = row.atOnce
        limits.passwordQueue = row.queue
        for refused in [0, 1] {
            let queue = PasswordQueue(limits: limits, time: TestTime().source)
            let semaphore = DispatchSemaphore(value: 0)
            let count = row.atOnce + row.queue + refused
            let codes = await withTaskGroup(of: ProblemCode?.self) { group in
                for _ in 0..<count {
                    // Each begins at once, and none can end before the test lets it.
                    group.addImmediateTask {
                        do throws(Problem) {
                            _ = try await queue.work { () throws(CryptoError) in
                                semaphore.wait()
                                return []
                            }
                            return nil
                        } catch { return error.code }
                    }
                }
                for _ in 0..<count { semaphore.signal() }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(codes.filter { $0 == .unavailable }.count == refused)
        }
    }

    @Test(arguments: [(Duration.seconds(30), true), (.milliseconds(30_001), false)])
    func `a password waits thirty seconds for its turn and no longer`(
        wait: Duration, isTaken: Bool
    ) async throws {
        var limits = WebLimits()
        limits.passwordsAtOnce = 1
        let time = TestTime()
        let queue = PasswordQueue(limits: limits, time: time.source)
        let semaphore = DispatchSemaphore(value: 0)
        let codes = await withTaskGroup(of: ProblemCode?.self) { group in
            for isFirst in [true, false] {
                // Each begins at once, and the second waits until the first ends.
                group.addImmediateTask {
                    do throws(Problem) {
                        _ = try await queue.work { () throws(CryptoError) in
                            if isFirst { semaphore.wait() }
                            return []
                        }
                        return nil
                    } catch { return error.code }
                }
            }
            time.advance(by: wait)
            semaphore.signal()
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(codes.filter { $0 == nil }.count == (isTaken ? 2 : 1))
        #expect(codes.filter { $0 == .unavailable }.count == (isTaken ? 0 : 1))
    }
}
