import Glibc

/// Starts a thread that runs one closure to its end, for calls that block.
package enum WorkerThread {
    /// Starts the thread; it is detached, so a caller that needs its end lets the closure signal
    /// it.
    package static func start(_ body: @escaping @Sendable () -> Void) {
        let box = unsafe Unmanaged.passRetained(Body(run: body))
        var thread = pthread_t()
        // Safe: the thread owns the reference and releases it.
        let code = unsafe pthread_create(
            &thread, nil,
            { context in
                guard let context = unsafe context else { return nil }
                unsafe Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
                return nil
            }, box.toOpaque())
        precondition(code == 0, "pthread_create answered \(code)")
        let detached = pthread_detach(thread)
        precondition(detached == 0, "pthread_detach answered \(detached)")
    }

    private final class Body: Sendable {
        let run: @Sendable () -> Void

        init(run: @escaping @Sendable () -> Void) { self.run = run }
    }
}
