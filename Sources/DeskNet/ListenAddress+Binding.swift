import CLinux
import Glibc

extension ListenAddress {
    /// Binds the address and closes it again at once.
    ///
    /// - Throws: when it is not numeric, in use or not this machine's.
    package func requireFree() throws(NetError) {
        let descriptor = unsafe frontdesk_listen(host, port, 0)
        guard descriptor >= 0 else { throw NetError("listen", -descriptor) }
        Glibc.close(descriptor)
    }
}
