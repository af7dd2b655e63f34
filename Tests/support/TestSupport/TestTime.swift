package import DeskModel

/// Clocks that move only when they are moved; sleepers wake when their time has come.
package typealias TestTime = VirtualClock

extension VirtualClock {
    /// A clock at a moment that every test knows.
    package convenience init() { self.init(start: Timestamp(seconds: 1_900_000_000)) }
}
