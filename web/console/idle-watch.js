/** Without a key or a press for so long an agent counts as idle, in minutes. */
export const IDLE_MINUTES = 5;

const IDLE_MILLISECONDS = IDLE_MINUTES * 60_000;
/** What shows that the page is used; `phone-used` is said by the simulated phone, whose events stay in its frame. */
const SIGNS = ["pointermove", "pointerdown", "keydown", "wheel", "focus", "phone-used"];

/** Whether the page is used, by its keys and presses. */
export class IdleWatch {
  isIdle = false;
  #changed;
  #usedAt = Date.now();
  #timer = 0;

  /** @param {() => void} changed called whenever `isIdle` is another */
  constructor(changed) {
    this.#changed = changed;
  }

  /** Watches until `stop()`. @param {EventTarget} [target] where keys and presses pass */
  start(target = globalThis) {
    this.#end = new AbortController();
    const how = { capture: true, passive: true, signal: this.#end.signal };
    for (const sign of SIGNS) target.addEventListener(sign, (event) => this.#use(event), how);
    target.addEventListener("freeze", () => this.#freeze(), how);
    this.#usedAt = Date.now();
    this.#wait(IDLE_MILLISECONDS);
  }

  #end = null;

  stop() {
    this.#end?.abort();
    clearTimeout(this.#timer);
  }

  #use({ type, movementX, movementY }) {
    // A pointer that rests is reported too when the page below it changes.
    if (type === "pointermove" && movementX === 0 && movementY === 0) return;
    this.#usedAt = Date.now();
    if (!this.isIdle) return;
    this.#wait(IDLE_MILLISECONDS);
    this.#enter(false);
  }

  #wait(milliseconds) {
    this.#timer = setTimeout(() => this.#judge(), milliseconds);
  }

  /** Idle, or used meanwhile: then there is some of the time left. */
  #judge() {
    const left = this.#usedAt + IDLE_MILLISECONDS - Date.now();
    if (left > 0) this.#wait(left);
    else this.#enter(true);
  }

  /** A page that its browser freezes, as phones do in the background, says nothing later, while its connection stays. */
  #freeze() {
    if (this.isIdle) return;
    clearTimeout(this.#timer);
    this.#enter(true);
  }

  #enter(isIdle) {
    this.isIdle = isIdle;
    this.#changed();
  }
}
