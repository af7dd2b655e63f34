/// A program's lists, lent to a machine.
// Safe: lent by `Program.withView`; the numbers in the lists come from the compiler, which made
// only such as exist.
@safe struct ProgramView {
    let quick: UnsafeBufferPointer<QuickBlock>
    let blocks: UnsafeBufferPointer<Block>
    let ops: UnsafeBufferPointer<Op>
    let lists: UnsafeBufferPointer<Int32>
    let plans: UnsafeBufferPointer<ObjectPlan>
    let slots: UnsafeBufferPointer<NameSlot>
    let entries: UnsafeBufferPointer<NameEntry>
    let nameBytes: UnsafeBufferPointer<UInt8>
    let allowed: UnsafeBufferPointer<AllowedValue>
    let integers: UnsafeBufferPointer<Int64>
}

extension Program {
    /// Lends the lists as one view.
    func withView<Answer>(_ body: (ProgramView) -> Answer) -> Answer {
        unsafe quick.withUnsafeBufferPointer { quick in
            unsafe blocks.withUnsafeBufferPointer { blocks in
                unsafe ops.withUnsafeBufferPointer { ops in
                    unsafe lists.withUnsafeBufferPointer { lists in
                        unsafe plans.withUnsafeBufferPointer { plans in
                            unsafe slots.withUnsafeBufferPointer { slots in
                                unsafe withNames { entries, names, allowed, integers in
                                    body(
                                        unsafe ProgramView(
                                            quick: quick, blocks: blocks, ops: ops, lists: lists,
                                            plans: plans, slots: slots, entries: entries,
                                            nameBytes: names, allowed: allowed,
                                            integers: integers))
                                }
                            }
                        }
                    }
                }
            }
        }
    }

    private func withNames<Answer>(
        _ body: (
            UnsafeBufferPointer<NameEntry>, UnsafeBufferPointer<UInt8>,
            UnsafeBufferPointer<AllowedValue>, UnsafeBufferPointer<Int64>
        ) -> Answer
    ) -> Answer {
        unsafe entries.withUnsafeBufferPointer { entries in
            unsafe nameBytes.withUnsafeBufferPointer { names in
                unsafe allowed.withUnsafeBufferPointer { allowed in
                    unsafe integers.withUnsafeBufferPointer { integers in
                        unsafe body(entries, names, allowed, integers)
                    }
                }
            }
        }
    }
}
