/** The parts of the page in which the focus stays when what had it goes away. */
const PARTS = "conversation-view, conversation-list, .navigation, .page";

/**
 * Keeps the focus of an agent who works by keyboard: when what had it is removed, hidden or left, the focus goes to the
 * part of the page in which it was, and never to the page as a whole, from which each key would begin anew.
 */
export class FocusKeeper {
  #root;
  #place;
  /** The part of the page that had the focus last. */
  #part = null;
  #isByKey = false;

  /**
   * @param {HTMLElement} root
   * @param {(part: Element|null) => void} place puts the focus into a part, or to where work goes on
   * @param {AbortSignal} signal
   */
  constructor(root, place, signal) {
    this.#root = root;
    this.#place = place;
    root.addEventListener("focusin", (event) => { this.#part = partOf(event); }, { signal });
    addEventListener("keydown", ({ key }) => {
      // A key that only moves the page, or that types nothing, says nothing of how the page is used.
      if (!["Shift", "Control", "Meta", "Alt"].includes(key)) this.#isByKey = true;
    }, { capture: true, signal });
    addEventListener("pointerdown", () => { this.#isByKey = false; }, { capture: true, signal });
    const watch = new MutationObserver(() => this.look());
    watch.observe(root, { childList: true, subtree: true, attributes: true, attributeFilter: ["hidden", "disabled", "inert", "class"] });
    signal.addEventListener("abort", () => watch.disconnect());
    addEventListener("keyup", () => this.look(), { signal });
  }

  /** The agent came here by keyboard. */
  begin() {
    this.#isByKey = true;
    this.look();
  }

  /** Puts the focus back where nothing has it, once what happens now is drawn. */
  look() {
    if (!this.#isByKey || !isLost()) return;
    requestAnimationFrame(() => requestAnimationFrame(() => {
      if (this.#isByKey && isLost() && this.#root.isConnected) this.#place(this.#part?.isConnected ? this.#part : null);
    }));
  }
}

function partOf(event) {
  const inside = event.composedPath().find((node) => node instanceof Element && node.matches(PARTS));
  return inside ?? null;
}

/** Whether nothing has the focus; a hidden element keeps it until the page is drawn. */
function isLost() {
  const { activeElement } = document;
  if (document.querySelector("dialog[open]")) return false;
  return !activeElement || activeElement === document.body || !activeElement.checkVisibility();
}
