extension RouteTable {
    /// Every route of the house.
    public static func whole(limits: APILimits, pages: PageRoutes, sandbox: Sandbox) -> RouteTable {
        var table = RouteTable()
        pages.add(to: &table)
        table.addCore(limits: limits)
        table.addOpenAPI(pages.description)
        EntryRoutes().add(to: &table)
        SandboxRoutes(sandbox).add(to: &table)
        PhoneRoutes(sandbox: sandbox).add(to: &table, limits: limits)
        PaymentRoutes().add(to: &table)
        return table
    }
}
