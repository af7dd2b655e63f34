public import DeskWeb

extension RouteTable {
    /// Every route of the API; `openAPI` is docs/openapi.json, `codeKey` what join codes are made with.
    public static func whole(
        limits: APILimits, pages: PageRoutes, attachments: AttachmentRoutes, mcp: MCPRoutes,
        openAPI: FileSet.File?, codeKey: [UInt8]
    ) -> RouteTable {
        var table = RouteTable()
        pages.add(to: &table)
        table.addCore(limits: limits)
        table.addOpenAPI(openAPI)
        EntryRoutes().add(to: &table)
        PhoneRoutes(codeKey: codeKey).add(to: &table, limits: limits)
        attachments.add(to: &table)
        mcp.add(to: &table, limits: limits)
        return table
    }
}
