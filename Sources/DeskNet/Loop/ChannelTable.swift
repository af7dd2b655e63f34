/// The channels of one loop by slot, with their deadlines side by side for a quick sweep.
struct ChannelTable {
    /// The tag of the descriptor that wakes the loop.
    static let wakeupTag = UInt64.max

    private var channels: [Channel?] = []
    private var generations: [UInt32] = []
    private var freeSlots: [Int] = []
    private var deadlines: [Deadlines] = []
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    /// Every channel there is.
    var all: [Channel] { channels.compactMap { $0 } }

    /// Gives the channel a slot and returns the tag by which epoll names it.
    mutating func insert(_ channel: Channel) -> UInt64 {
        let slot = freeSlots.popLast() ?? channels.count
        if slot == channels.count {
            channels.append(nil)
            generations.append(0)
            deadlines.append(Deadlines())
        }
        channels[slot] = channel
        channel.slot = slot
        count += 1
        return UInt64(generations[slot]) << 32 | UInt64(slot)
    }

    mutating func remove(_ channel: Channel) {
        guard let slot = channel.slot else { return }
        channels[slot] = nil
        deadlines[slot] = Deadlines()
        // An event still in this iteration's list must not reach the slot's next owner.
        generations[slot] &+= 1
        freeSlots.append(slot)
        channel.slot = nil
        count -= 1
    }

    func find(_ tag: UInt64) -> Channel? {
        let slot = Int(tag & 0xFFFF_FFFF)
        guard slot < channels.count, UInt64(generations[slot]) == tag >> 32 else { return nil }
        return channels[slot]
    }

    /// Lends a channel's deadlines.
    subscript(_ slot: Int) -> Deadlines {
        get { deadlines[slot] }
        set { deadlines[slot] = newValue }
    }

    /// How many slots there are, used or not.
    var slotCount: Int { channels.count }

    /// The channel in a slot; nil when the slot is free.
    func channel(at slot: Int) -> Channel? { channels[slot] }
}

/// Until when a channel waits; `never` when it does not.
struct Deadlines {
    var read = MonotonicTime.never
    var write = MonotonicTime.never
    /// The handler's deadline, or a stream's end while the server drains.
    var alarm = MonotonicTime.never
}
