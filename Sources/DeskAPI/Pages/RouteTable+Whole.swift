extension RouteTable {
    /// Every route of the server; `openAPI` is docs/openapi.json.
    ///
    /// Without a simulation its routes answer 404 and say where there is one.
    public static func whole(
        limits: APILimits, pages: PageRoutes, sandbox: Sandbox, attachments: AttachmentRoutes,
        openAPI: FileSet.File?, simulation: Simulation? = nil
    ) -> RouteTable {
        var table = RouteTable()
        pages.add(to: &table)
        table.addCore(limits: limits)
        table.addOpenAPI(openAPI)
        EntryRoutes().add(to: &table)
        SandboxRoutes(sandbox).add(to: &table)
        PhoneRoutes(sandbox: sandbox).add(to: &table, limits: limits)
        attachments.add(to: &table)
        PaymentRoutes().add(to: &table)
        SimulationRoutes(simulation).add(to: &table)
        return table
    }
}
