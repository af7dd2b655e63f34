import { h } from "../lib/dom.js";

const KEY_STEP_PIXELS = 16;

/** A line between two columns that can be dragged or moved by arrow keys; keeps its place. */
class ColumnSplitter extends HTMLElement {
  target = null;
  name = "";
  label = "";
  minimum = 240;
  maximum = 480;
  /** 1 when the column is left of the line, -1 when it is right of it. */
  side = 1;

  connectedCallback() {
    if (this.bar) return;
    this.bar = h("div", {
      class: "splitter", role: "separator", tabindex: "0", "aria-orientation": "vertical",
      "aria-label": this.label, "aria-valuemin": this.minimum, "aria-valuemax": this.maximum,
    });
    this.append(this.bar);
    this.bar.addEventListener("pointerdown", (event) => this.#drag(event));
    this.bar.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (!step) return;
      event.preventDefault();
      this.#set(this.#width() + step * this.side * KEY_STEP_PIXELS);
    });
    const kept = Number(this.#read());
    this.#set(kept || this.minimum + 60);
  }

  #drag(start) {
    this.bar.setPointerCapture(start.pointerId);
    const width = this.#width();
    const move = (event) => this.#set(width + (event.clientX - start.clientX) * this.side);
    this.bar.addEventListener("pointermove", move);
    this.bar.addEventListener("lostpointercapture",
      () => this.bar.removeEventListener("pointermove", move), { once: true });
  }

  #width() {
    return this.target.getBoundingClientRect().width;
  }

  #set(pixels) {
    const width = Math.round(Math.max(this.minimum, Math.min(this.maximum, pixels)));
    this.target.style.setProperty("--column", `${width}px`);
    document.documentElement.style.setProperty(`--fd-column-${this.name}`, `${width}px`);
    this.bar.setAttribute("aria-valuenow", String(width));
    try {
      localStorage.setItem(`fd.column.${this.name}`, String(width));
    } catch {
      // Safe: without storage the width is only forgotten.
    }
  }

  #read() {
    try {
      return localStorage.getItem(`fd.column.${this.name}`);
    } catch {
      return null;  // Safe: without storage the first width is used.
    }
  }
}

customElements.define("column-splitter", ColumnSplitter);
