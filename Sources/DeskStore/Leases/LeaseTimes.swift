/// How long leases live, and how often they are renewed.
package enum LeaseTimes {
    /// How long a lease lives unless it is renewed.
    package static let life = Duration.seconds(6)
    /// Time between two renewals, and the longest between two attempts at a lease that another holds.
    package static let renewal = Duration.seconds(2)
    /// Time from the request of the last renewal that succeeded to when a holder stops by itself:
    /// before the lease's life ends.
    package static let doubt = Duration.seconds(5)
    /// Time between two attempts of a call that waits for a lease that another process holds, and the
    /// shortest of one that waits for a lease's end.
    package static let pause = Duration.milliseconds(50)
}
