import DeskCrypto
import DeskHTTP
import DeskLog
import Glibc

extension HTTPConnection {
    /// How waiting for a request ended.
    enum NextHead {
        case head(RequestHead)
        case refused(RequestProblem)
        /// The peer left, or sent nothing for too long: no answer is sent.
        case gone
    }

    /// The result of one read of the socket.
    enum Received {
        /// This many bytes are in the loop's scratch.
        case bytes(Int)
        case nothing
        case end
    }

    /// How waiting for input ended.
    enum Fill {
        case filled
        case expired
        case ended
    }

    /// Waits for the next request's head.
    func nextHead() async -> NextHead {
        let idle = requestCount == 0 ? service.times.firstByte : service.times.keepAliveIdle
        var deadline = loop.now + idle
        var hasBegun = false
        while true {
            if inputStart < input.count {
                let (outcome, _) = parseInput()
                if let outcome { return outcome }
            }
            if !hasBegun, parser.isInsideHead {
                // The deadline counts from the first byte; later bytes do not extend it.
                hasBegun = true
                deadline = loop.now + service.times.headComplete
            }
            switch receive() {
            case .bytes(let count):
                if tls != nil {
                    guard decrypt(count) else { return .gone }
                    continue
                }
                if let outcome = parseScratch(count) { return outcome }
            case .end:
                return .gone
            case .nothing:
                if isClosing, !hasBegun, requestCount > 0 { return .gone }
                switch await channel.waitReadable(until: deadline) {
                case .ready: continue
                case .ended: return .gone
                case .expired:
                    guard hasBegun else { return .gone }
                    return .refused(RequestProblem(.requestTimeout, "head_too_slow"))
                }
            }
        }
    }

    /// Waits for more plain bytes at the end of `input`.
    func fill(until deadline: MonotonicTime) async -> Fill {
        while true {
            switch receive() {
            case .bytes(let count):
                if tls == nil {
                    input.append(contentsOf: loop.scratch[..<count])
                    return .filled
                }
                let before = input.count
                guard decrypt(count) else { return .ended }
                if input.count > before { return .filled }
            case .end:
                return .ended
            case .nothing:
                let begin = loop.clock()
                let wait = await channel.waitReadable(until: deadline)
                waitedForPeer.count += loop.clock() - begin
                switch wait {
                case .ready: continue
                case .ended: return .ended
                case .expired: return .expired
                }
            }
        }
    }

    /// The result of one attempt to read plain bytes.
    enum AtHand {
        case filled
        case nothing
        case ended
    }

    /// Appends the plain bytes that have arrived to `input`, without waiting.
    func fillAtHand() -> AtHand {
        while true {
            switch receive() {
            case .bytes(let count):
                if tls == nil {
                    input.append(contentsOf: loop.scratch[..<count])
                    return .filled
                }
                let before = input.count
                guard decrypt(count) else { return .ended }
                if input.count > before { return .filled }
            case .end: return .ended
            case .nothing: return .nothing
            }
        }
    }

    /// Waits for cipher bytes and gives them to the TLS session, without decrypting.
    func fillCipher(until deadline: MonotonicTime) async -> Fill {
        while true {
            switch receive() {
            case .bytes(let count):
                guard let tls else { return .ended }
                let scratch = loop.scratch
                do throws(CryptoError) {
                    try tls.receive(scratch.span.extracting(0..<count))
                } catch { return .ended }
                return .filled
            case .end:
                return .ended
            case .nothing:
                switch await channel.waitReadable(until: deadline) {
                case .ready: continue
                case .ended: return .ended
                case .expired: return .expired
                }
            }
        }
    }

    /// Reads the socket once into the loop's scratch.
    func receive() -> Received {
        guard channel.isReadable else { return .nothing }
        while true {
            let room = loop.scratch.count
            let count = unsafe loop.scratch.withUnsafeMutableBytes {
                unsafe recv(channel.descriptor, $0.baseAddress, $0.count, 0)
            }
            if count > 0 {
                // Edge-triggered: a short read has emptied the socket, unless its end was announced.
                channel.isReadable = count == room || channel.isHalfClosed || channel.isHungUp
                return .bytes(count)
            }
            if count == 0 { return .end }
            if errno == EINTR { continue }
            guard errno == EAGAIN else {
                isBroken = true
                return .end
            }
            channel.isReadable = false
            return .nothing
        }
    }

    /// Removes the first bytes of `input`.
    func consumeInput(_ count: Int) {
        inputStart += count
        if inputStart == input.count {
            input = []
            inputStart = 0
        }
    }

    private func parseInput() -> (NextHead?, Int) {
        let input = input
        switch parser.parse(input.span.extracting(inputStart..<input.count)) {
        case .needsMore:
            consumeInput(input.count - inputStart)
            return (nil, 0)
        case .complete(let head, let taken):
            consumeInput(taken)
            return (.head(head), taken)
        case .refused(let problem):
            return (.refused(problem), 0)
        }
    }

    private func parseScratch(_ count: Int) -> NextHead? {
        let scratch = loop.scratch
        switch parser.parse(scratch.span.extracting(0..<count)) {
        case .needsMore:
            return nil
        case .complete(let head, let taken):
            if taken < count { input = Array(scratch[taken..<count]) }
            return .head(head)
        case .refused(let problem):
            return .refused(problem)
        }
    }

    /// Decrypts what was just read to the end of `input`; false when the session has ended.
    private func decrypt(_ count: Int) -> Bool {
        guard let tls else { return false }
        let scratch = loop.scratch
        do throws(CryptoError) {
            try tls.receive(scratch.span.extracting(0..<count))
        } catch {
            isBroken = true
            return false
        }
        return decryptPending()
    }

    /// Decrypts what the TLS session holds already; false when the session has ended.
    func decryptPending() -> Bool {
        guard let tls else { return true }
        do throws(CryptoError) {
            while true {
                switch try tls.read(into: &input, upTo: 16 * 1024) {
                case .done: continue
                case .needsInput: return true
                // Bytes that arrived before `close_notify` still count.
                case .ended: return inputStart < input.count
                }
            }
        } catch {
            isBroken = true
            return false
        }
    }
}
