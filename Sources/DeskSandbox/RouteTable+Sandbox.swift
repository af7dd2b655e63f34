public import DeskAPI
public import DeskWeb

extension RouteTable {
    /// Adds the routes of the sandbox: its page, the test merchant, and the simulation.
    ///
    /// Without a simulation, and without runs, their routes answer 404 and say where there are some.
    public mutating func addSandbox(
        _ sandbox: Sandbox, simulation: Simulation? = nil, runs: ScriptRuns? = nil
    ) {
        SandboxRoutes(sandbox).add(to: &self)
        PaymentRoutes().add(to: &self)
        SimulationRoutes(simulation).add(to: &self)
        ScriptRunRoutes(runs).add(to: &self)
    }
}
