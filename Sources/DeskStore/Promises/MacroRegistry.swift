public import DeskModel

/// The macros of businesses.
public protocol MacroRegistry: Sendable {
    /// Lists a business's macros by name: those that all share, and those of one agent.
    ///
    /// Limit: twice `Macro.most`.
    func macros(
        of business: BusinessID, seenBy agent: AgentID?
    ) async throws(StoreError) -> [Macro]

    /// Finds a macro of a business that all share or that is an agent's own.
    func findMacro(
        _ id: MacroID, of business: BusinessID, seenBy agent: AgentID?
    ) async throws(StoreError) -> Macro?

    /// Adds a macro or replaces what may change of it; false where there would be more than
    /// `Macro.most`, and then nothing was stored.
    func save(_ macro: Macro, author: Author) async throws(StoreError) -> Bool

    /// Replaces what may change of a macro; false when it was changed since it was read, or is not there: then
    /// nothing was stored.
    func save(
        _ macro: Macro, over known: Macro, author: Author
    ) async throws(StoreError) -> Bool
}
