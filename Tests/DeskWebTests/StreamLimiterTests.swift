import DeskHTTP
import DeskModel
import Testing

@testable import DeskWeb

/// How many streams there may be: at the limit and just beyond it.
struct StreamLimiterTests {
    private static func principal() -> Principal {
        var random = SystemRandomNumberGenerator()
        return .sandbox(
            SandboxPrincipal(business: BusinessID(using: &random), hasCookie: true))
    }

    /// Acquires a lease; the refusal's code when there is none.
    private static func acquire(
        _ limiter: StreamLimiter, _ principal: Principal, _ address: String,
        _ leases: inout [StreamLease]
    ) -> ProblemCode? {
        do throws(Problem) {
            leases.append(
                try limiter.acquire(principal, Peer(address: address, isLoopback: false)))
            return nil
        } catch { return error.code }
    }

    @Test func `a principal has 16 streams, whatever addresses they come from`() {
        let limiter = StreamLimiter(limits: WebLimits())
        let principal = Self.principal()
        var leases: [StreamLease] = []
        for number in 0..<16 {
            #expect(Self.acquire(limiter, principal, "192.0.2.\(number)", &leases) == nil)
        }
        #expect(Self.acquire(limiter, principal, "192.0.2.99", &leases) == .rateLimited)
        #expect(Self.acquire(limiter, Self.principal(), "192.0.2.99", &leases) == nil)
    }

    private static func member(_ number: Int) -> Principal {
        let id = UniqueID(high: 0x4000, low: 1 << 63 | UInt64(number))
        return .key(KeyPrincipal(id: KeyID(id), name: "k", mode: .live, businesses: []))
    }

    @Test func `an address has 2,048 streams of members beside those of customers`() {
        let limiter = StreamLimiter(limits: WebLimits())
        var leases: [StreamLease] = []
        var refusals = 0
        // 200 people with two tabs each are far below it.
        for number in 0..<2_048 {
            let refusal = Self.acquire(
                limiter, Self.member(number / 2), "2001:db8::\(number)", &leases)
            refusals += refusal == nil ? 0 : 1
        }
        #expect(refusals == 0)
        #expect(
            Self.acquire(limiter, Self.member(5_000), "2001:db8::ffff", &leases) == .rateLimited)
        #expect(Self.acquire(limiter, Self.principal(), "2001:db8::ffff", &leases) == nil)
    }

    @Test func `an address has 256 streams of customers, of any business`() {
        let limiter = StreamLimiter(limits: WebLimits())
        var leases: [StreamLease] = []
        for _ in 0..<256 {
            #expect(Self.acquire(limiter, Self.principal(), "192.0.2.7", &leases) == nil)
        }
        #expect(
            Self.acquire(limiter, Self.principal(), "::ffff:192.0.2.7", &leases) == .rateLimited)
        #expect(Self.acquire(limiter, Self.principal(), "192.0.2.7", &leases) == .rateLimited)
        #expect(Self.acquire(limiter, Self.principal(), "192.0.2.8", &leases) == nil)
        leases.removeFirst()
        #expect(Self.acquire(limiter, Self.principal(), "192.0.2.7", &leases) == nil)
    }

    @Test func `there are 15,000 streams in all, and room again when one ends`() {
        let limiter = StreamLimiter(limits: WebLimits())
        var leases: [StreamLease] = []
        var refusals = 0
        for number in 0..<15_000 {
            let address = "192.0.\(number / 250).\(number % 250)"
            refusals += Self.acquire(limiter, Self.principal(), address, &leases) == nil ? 0 : 1
        }
        #expect(refusals == 0)
        #expect(Self.acquire(limiter, Self.principal(), "198.51.100.1", &leases) == .unavailable)
        leases.removeLast()
        #expect(Self.acquire(limiter, Self.principal(), "198.51.100.1", &leases) == nil)
    }
}
