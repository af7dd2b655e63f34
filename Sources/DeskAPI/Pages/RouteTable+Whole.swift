extension RouteTable {
    /// Every route of the house.
    public static func whole(limits: APILimits, pages: PageRoutes, sandbox: Sandbox) -> RouteTable {
        var table = RouteTable()
        pages.add(to: &table)
        table.addSession(limits: limits)
        table.addBusinesses(limits: limits)
        table.addMembers(limits: limits)
        table.addKeys(limits: limits)
        table.addConversations(limits: limits)
        table.addMessages(limits: limits)
        EntryRoutes().add(to: &table)
        SandboxRoutes(sandbox).add(to: &table)
        PhoneRoutes(sandbox: sandbox).add(to: &table, limits: limits)
        PaymentRoutes().add(to: &table)
        return table
    }
}
