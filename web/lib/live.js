import { Backoff } from "./backoff.js";
import { isNews } from "./event-id.js";

/** A connection that has not opened after this long counts as dead. */
const OPEN_TIMEOUT_MILLISECONDS = 10_000;

/**
 * One WebSocket that keeps itself alive and resumes after the last event it has seen.
 *
 * Events of this object: `state` (`detail.state` is "offline", "catching-up" or "live"), `event`
 * (`detail` is an event of the server, each once, in order), `ephemeral` (`detail` is the frame),
 * `reset` (`detail.head`; the page has to read everything on screen again), `live` (`detail.head`),
 * `failed` (an attempt to connect came to nothing; it is made again).
 */
export class LiveConnection extends EventTarget {
  #path;
  #after;
  #socket = null;
  #timer = 0;
  #backoff = new Backoff();
  #isRunning = false;

  /**
   * @param {{path?: string, after?: string|null}} [options] `after` is the head of the answer that
   *   filled the screen
   */
  constructor({ path = "/api/live", after = null } = {}) {
    super();
    this.#path = path;
    this.#after = after;
    this.state = "offline";
    this.wake = this.wake.bind(this);
    this.pause = this.pause.bind(this);
  }

  /** The last event seen. */
  get after() {
    return this.#after;
  }

  set after(id) {
    this.#after = id;
  }

  /** Connects, and connects again until `stop()`. */
  start() {
    if (this.#isRunning) return;
    this.#isRunning = true;
    addEventListener("online", this.wake);
    addEventListener("offline", this.pause);
    document.addEventListener("visibilitychange", this.wake);
    this.#connect();
  }

  /** Ends the connection for good. */
  stop() {
    this.#isRunning = false;
    removeEventListener("online", this.wake);
    removeEventListener("offline", this.pause);
    document.removeEventListener("visibilitychange", this.wake);
    clearTimeout(this.#timer);
    this.#drop();
    this.#enter("offline");
  }

  /**
   * Sends a frame if the connection is open; its content (typing, presence) may be lost.
   * @param {Record<string, any>} frame
   */
  send(frame) {
    if (this.#socket?.readyState !== WebSocket.OPEN) return false;
    this.#socket.send(JSON.stringify(frame));
    return true;
  }

  /** Tries at once instead of waiting for the next attempt. */
  wake() {
    if (!this.#isRunning || this.#socket || document.visibilityState === "hidden") return;
    clearTimeout(this.#timer);
    this.#backoff.reset();
    this.#connect();
  }

  /** The browser reports that there is no network: do not wait for the socket to notice. */
  pause() {
    this.#drop();
    this.#retry();
  }

  #connect() {
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(`${scheme}//${location.host}${this.#path}`);
    this.#socket = socket;
    const opening = setTimeout(() => socket.close(), OPEN_TIMEOUT_MILLISECONDS);
    socket.onopen = () => {
      clearTimeout(opening);
      socket.send(JSON.stringify({ type: "hello", after: this.#after }));
      this.#enter("catching-up");
    };
    socket.onmessage = (message) => {
      if (this.#socket === socket) this.#receive(message.data);
    };
    socket.onclose = () => {
      clearTimeout(opening);
      if (this.#socket !== socket) return;
      this.#socket = null;
      const hasOpened = this.state !== "offline";
      this.#retry();
      if (!hasOpened) this.#emit("failed", {});
    };
  }

  #receive(text) {
    let frame;
    try {
      frame = JSON.parse(text);
    } catch {
      return;  // Safe: the server sends only JSON; any other frame is ignored.
    }
    switch (frame.type) {
      case "live":
        this.#backoff.reset();
        if (frame.head && isNews(frame.head, this.#after)) this.#after = frame.head;
        this.#enter("live");
        this.#emit("live", frame);
        break;
      case "reset":
        this.#after = frame.head ?? null;
        this.#emit("reset", frame);
        break;
      case "ephemeral":
        this.#emit("ephemeral", frame);
        break;
      default:
        if (!frame.id || !isNews(frame.id, this.#after)) return;
        this.#after = frame.id;
        this.#emit("event", frame);
    }
  }

  #retry() {
    this.#enter("offline");
    if (!this.#isRunning) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#connect(), this.#backoff.next());
  }

  #drop() {
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
  }

  #enter(state) {
    if (this.state === state) return;
    this.state = state;
    this.#emit("state", { state });
  }

  #emit(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }
}
