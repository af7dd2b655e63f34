import { t } from "../lib/i18n.js";

const storageKey = "fd.sandbox.split";
const least = 25;
const most = 85;

/**
 * The bar between the composer and the JSON: dragged, or moved with the arrow keys.
 *
 * Sets `--split` (percent of the upper part) on its parent, and the class `sb-split` once the user
 * has chosen.
 */
export class PaneSplitter extends HTMLElement {
  connectedCallback() {
    this.setAttribute("role", "separator");
    this.setAttribute("aria-orientation", "horizontal");
    this.setAttribute("aria-label", t("sandbox.split"));
    this.setAttribute("aria-valuemin", String(least));
    this.setAttribute("aria-valuemax", String(most));
    this.tabIndex = 0;
    this.addEventListener("pointerdown", this.#grab);
    this.addEventListener("keydown", this.#key);
    this.addEventListener("dblclick", this.#reset);
    this.#apply(Number(read()) || null);
  }

  #apply(percent) {
    this.percent = percent === null ? null : Math.min(most, Math.max(least, percent));
    this.parentElement.classList.toggle("sb-split", this.percent !== null);
    if (this.percent !== null) this.parentElement.style.setProperty("--split", `${this.percent}%`);
    this.setAttribute("aria-valuenow", String(Math.round(this.percent ?? 62)));
  }

  #grab = (event) => {
    event.preventDefault();
    this.setPointerCapture(event.pointerId);
    const { top, height } = this.parentElement.getBoundingClientRect();
    const move = (moved) => this.#apply(((moved.clientY - top) / height) * 100);
    this.addEventListener("pointermove", move);
    this.addEventListener("pointerup", () => {
      this.removeEventListener("pointermove", move);
      write(this.percent);
    }, { once: true });
  };

  #key = (event) => {
    const step = { ArrowUp: -4, ArrowDown: 4 }[event.key];
    if (!step) return;
    event.preventDefault();
    this.#apply((this.percent ?? 62) + step);
    write(this.percent);
  };

  #reset = () => {
    write("");
    this.#apply(null);
  };
}

const read = () => {
  try {
    return localStorage.getItem(storageKey);
  } catch {
    return null;  // Safe: no storage, the usual split.
  }
};
const write = (percent) => {
  try {
    localStorage.setItem(storageKey, String(percent ?? ""));
  } catch {
    // Safe: as above.
  }
};

customElements.define("pane-splitter", PaneSplitter);
