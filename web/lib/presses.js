/**
 * The presses on a part of a page that have begun and not ended. Until they have, the nodes there must stay: a browser sends
 * no click for a node that was removed meanwhile, and the list of a select is closed with it.
 */
export class Presses {
  /** One may begin before the end of the one before is seen. */
  #count = 0;
  /** What is done after them. @type {Set<() => void>} */
  #works = new Set();

  /** @param {EventTarget} node */
  constructor(node) {
    node.addEventListener("pointerdown", ({ button, target }) => { if (button === 0) this.#hold(target, "pointerup", "pointercancel"); });
    // The space bar presses when it is let go.
    node.addEventListener("keydown", ({ key, target, repeat }) => { if (key === " " && !repeat) this.#hold(target, "keyup", "blur"); });
    // The focus goes on, or a press begins, only after what a field held was passed on.
    node.addEventListener("change", () => {
      this.#count += 1;
      this.#end();
    }, { capture: true });
  }

  /** Does `work` now, or after the presses that are held: once, however often it was asked for. @param {() => void} work */
  after(work) {
    if (this.#count) this.#works.add(work);
    else work();
  }

  /**
   * Holds until one of these events, or one that replaces the press. The list of a select stays open after the press:
   * it is closed by a choice, by Enter or Escape, or by a press elsewhere, and its own press has come by the window before this.
   */
  #hold(target, ...ends) {
    this.#count += 1;
    const end = new AbortController();
    const isList = target.localName === "select";
    for (const type of isList ? ["change", "blur", "pointerdown", "keyup"] : [...ends, "contextmenu", "dragend"]) {
      addEventListener(type, ({ key }) => {
        // Enter chooses, which is no change where it is what was chosen before.
        if (isList && type === "keyup" && !["Escape", "Enter"].includes(key)) return;
        end.abort();
        this.#end();
      }, { capture: true, signal: end.signal });
    }
  }

  #end() {
    // The press itself comes after its end.
    setTimeout(() => {
      this.#count -= 1;
      if (this.#count) return;
      const works = [...this.#works];
      this.#works.clear();
      for (const work of works) work();
    });
  }
}
