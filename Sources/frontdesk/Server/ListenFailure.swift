import DeskNet
import Glibc

/// Why an address cannot be listened on, and what to do, in words for the terminal.
enum ListenFailure {
    /// The sentence for a failed `start`; `flag` has another port picked.
    static func failure(
        _ error: NetError, at address: Address, flag: String = "--listen HOST:0"
    ) -> Installation.Failure {
        Installation.Failure(
            "\(address.hostInURL):\(address.port) cannot be listened on: \(error.reason)",
            hint: hint(error.number, address, flag))
    }

    private static func hint(_ number: Int32, _ address: Address, _ flag: String) -> String? {
        switch number {
        case EADDRINUSE: "another program uses the port; \(flag) picks a free one"
        case EACCES where address.port < 1_024:
            "ports below 1024 need a permission: AmbientCapabilities=CAP_NET_BIND_SERVICE and "
                + "CapabilityBoundingSet=CAP_NET_BIND_SERVICE in the unit of systemd, or a proxy in front"
        case EADDRNOTAVAIL:
            "this machine has no such address; \"ip address\" lists those it has, 0.0.0.0 stands for "
                + "all of them"
        case EINVAL: "name the host by its address, such as 127.0.0.1, 0.0.0.0 or [::1]"
        default: nil
        }
    }
}
