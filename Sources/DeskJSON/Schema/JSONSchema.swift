/// A compiled schema: validates any number of values, from any thread.
public struct JSONSchema: Sendable {
    let program: Program

    /// Whether the value is valid; stops at the first fault.
    public func isValid(_ value: JSONValue) -> Bool {
        program.withMachine(over: value.tape) { machine in
            machine.allows(program.root, value.index) && !machine.isExhausted
        }
    }

    /// The same verdict without what makes it quick: no folded blocks, no pattern tables.
    ///
    /// For checks that compare the two; the product has no use for it.
    package func isValidStepByStep(_ value: JSONValue) -> Bool {
        program.withMachine(over: value.tape) { machine in
            machine.goStepByStep()
            return machine.allows(program.root, value.index) && !machine.isExhausted
        }
    }
}
