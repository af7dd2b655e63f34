import { whileBusy } from "../lib/busy.js";
import { h, replace, sheet } from "../lib/dom.js";
import { isErased } from "../lib/erased.js";
import { icon } from "../lib/icons.js";
import { t } from "../lib/i18n.js";

/** A pointer that moved this far, in pixels, has moved the picture and not pressed it. */
const dragPixels = 5;

const styles = sheet(`
  *, *::before, *::after { box-sizing: border-box; }
  dialog { width: 100vw; max-width: none; height: 100dvh; max-height: none; margin: 0; padding: 0; border: 0;
    background: #08090d; color: #fff; color-scheme: dark;
    font: 400 var(--fd-text-md) / var(--fd-leading) var(--fd-font); }
  dialog[open] { display: grid; grid-template-rows: auto minmax(0, 1fr); }
  .bar { display: flex; align-items: center; gap: 4px; min-width: 0;
    padding: calc(6px + env(safe-area-inset-top)) 8px 6px; }
  .name { flex: 1; min-width: 0; padding-inline: 8px; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
  .count { flex: none; padding-inline: 8px; font-size: var(--fd-text-sm); font-variant-numeric: tabular-nums; }
  .said { flex: 1; min-width: 0; font-size: var(--fd-text-sm); text-align: end; }
  .said:empty { display: none; }
  .round { display: grid; place-items: center; flex: none; width: 44px; height: 44px; padding: 0; border: 0;
    border-radius: 50%; background: none; color: inherit; cursor: pointer; }
  .round:hover:not(:disabled) { background: rgb(255 255 255 / 0.16); }
  .round[aria-pressed="true"] { background: rgb(255 255 255 / 0.26); }
  .round:disabled { opacity: 0.35; cursor: default; }
  :focus-visible { outline: 2px solid #fff; outline-offset: -2px; }
  .body { position: relative; min-height: 0; }
  .stage { display: grid; grid-template: minmax(0, 1fr) / minmax(0, 1fr); height: 100%; overflow: hidden;
    overscroll-behavior: contain; }
  .stage.is-full { grid-template: none; overflow: auto; }
  .stage img { display: block; margin: auto; max-width: 100%; max-height: 100%; cursor: zoom-in; }
  .is-full img { max-width: none; max-height: none; cursor: zoom-out; }
  .fits img { cursor: default; }
  .failed { margin: auto; padding: 24px; }
  .step { position: absolute; inset-block-start: calc(50% - 22px); background: rgb(8 9 13 / 0.55); }
  .previous { inset-inline-start: 8px; transform: scaleX(-1); }
  .next { inset-inline-end: 8px; }
  [hidden] { display: none !important; }
`);

/** @typedef {(picture: import("./thread-pictures.js").Picture) => Promise<string>} Keep says what came of it */

/**
 * Pictures as large as the screen: whole, or at full size; walked through with the arrow keys.
 *
 * It is there while it is open: `openPictures` adds it, closing removes it and returns the focus.
 */
class PictureViewer extends HTMLElement {
  #pictures = [];
  #at = 0;
  #dialog = h("dialog");
  #isFull = false;
  /** @type {Keep|null} */
  #keep = null;

  constructor() {
    super();
    this.attachShadow({ mode: "open" }).adoptedStyleSheets = [styles];
    this.shadowRoot.append(this.#dialog);
    this.#dialog.addEventListener("keydown", (event) => this.#key(event));
  }

  /**
   * @param {import("./thread-pictures.js").Picture[]} pictures
   * @param {number} index of the one to begin with
   * @param {HTMLElement|null} opener gets the focus back where the browser cannot give it
   * @param {Keep|null} keep keeps the picture on screen; without it that is not offered
   */
  show(pictures, index, opener, keep = null) {
    this.#pictures = pictures;
    this.#keep = keep;
    this.#dialog.addEventListener("close", () => {
      this.remove();
      if (!document.activeElement || document.activeElement === document.body) opener?.focus();
    }, { once: true });
    this.#build();
    this.#turnTo(index);
    this.#dialog.showModal();
  }

  #build() {
    const button = (name, words, onClick, kind = "") => h("button", {
      type: "button", class: `round ${kind}`, "aria-label": words, title: words, onClick,
    }, icon(name, 22));
    this.name = h("span", { class: "name" });
    this.said = h("span", { class: "said", role: "status" });
    this.count = h("span", { class: "count", role: "status", hidden: this.#pictures.length < 2 });
    this.zoom = button("fullSize", t("card.viewer.full"), () => this.#showFull(!this.#isFull));
    this.keep = button("library", t("card.viewer.keep"), () => whileBusy(this.keep, async () => {
      this.said.textContent = await this.#keep(this.#pictures[this.#at]);
    }));
    this.keep.hidden = !this.#keep;
    this.link = h("a", { class: "round" }, icon("download", 22));
    this.previous = button("chevron", t("card.viewer.previous"), () => this.#step(-1), "step previous");
    this.next = button("chevron", t("card.viewer.next"), () => this.#step(1), "step next");
    this.stage = h("div", { class: "stage" });
    this.#listenToPointer();
    new ResizeObserver(() => this.#measure()).observe(this.stage);
    const hasMany = this.#pictures.length > 1;
    replace(this.#dialog,
      h("div", { class: "bar" }, this.name, this.said, this.count, this.zoom, this.keep, this.link,
        button("close", t("card.viewer.close"), () => this.#dialog.close())),
      h("div", { class: "body" }, this.stage, hasMany ? [this.previous, this.next] : null));
  }

  #turnTo(index) {
    this.#at = index;
    const { name, url } = this.#pictures[index];
    const words = t("card.download", { name });
    this.#dialog.setAttribute("aria-label", name);
    this.name.textContent = name;
    this.said.textContent = "";
    for (const [key, value] of Object.entries({ href: url, download: name, "aria-label": words, title: words })) {
      this.link.setAttribute(key, value);
    }
    this.#drawPlace();
    this.image = h("img", {
      src: url, alt: t("card.attachmentImage", { name }), draggable: "false", onLoad: () => this.#measure(),
      onError: () => {
        this.zoom.hidden = true;
        replace(this.stage, h("p", { class: "failed" }, t("card.viewer.failed")));
      },
    });
    this.zoom.hidden = true;
    replace(this.stage, this.image);
    this.#showFull(false);
  }

  #drawPlace() {
    this.count.textContent = `${this.#at + 1} / ${this.#pictures.length}`;
    this.previous.disabled = this.#at === 0;
    this.next.disabled = this.#at === this.#pictures.length - 1;
  }

  /** Leaves out what was erased. @param {any[]} messages */
  follow(messages) {
    const erased = new Set(messages.filter(isErased).map(({ id }) => id));
    const left = this.#pictures.filter(({ message }) => !erased.has(message));
    if (left.length === this.#pictures.length) return;
    const at = left.indexOf(this.#pictures[this.#at]);
    if (at < 0) return void this.#dialog.close();
    [this.#pictures, this.#at] = [left, at];
    this.#drawPlace();
  }

  /** A picture that fits into the window as it is has no other size to be shown at. */
  #measure() {
    const { naturalWidth, naturalHeight } = this.image;
    if (!naturalWidth) return;
    const fits = naturalWidth <= this.stage.clientWidth && naturalHeight <= this.stage.clientHeight;
    this.stage.classList.toggle("fits", fits);
    this.zoom.hidden = fits;
  }

  #step(step) {
    const index = this.#at + step;
    if (!this.#pictures[index]) return;
    this.#turnTo(index);
    // A button that has become disabled would lose the focus to the page below.
    if (!this.shadowRoot.activeElement || this.shadowRoot.activeElement.matches(":disabled")) this.link.focus();
  }

  /**
   * @param {boolean} isFull
   * @param {{x: number, y: number}} at what of the picture comes into the middle, from 0 to 1
   */
  #showFull(isFull, at = { x: 0.5, y: 0 }) {
    this.#isFull = isFull;
    this.zoom.setAttribute("aria-pressed", String(isFull));
    const { stage } = this;
    stage.classList.toggle("is-full", isFull);
    // What scrolls can be reached and scrolled by keyboard.
    stage.toggleAttribute("tabindex", isFull);
    if (isFull) {
      stage.tabIndex = 0;
      stage.scrollTo({
        left: at.x * stage.scrollWidth - stage.clientWidth / 2,
        top: at.y * stage.scrollHeight - stage.clientHeight / 2, behavior: "instant",
      });
    }
  }

  #key(event) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    // At full size the arrow keys move the picture in its window.
    if (this.#isFull && this.shadowRoot.activeElement === this.stage) return;
    event.preventDefault();
    this.#step(step);
  }

  /** A press shows the pressed place at full size, or the whole again; a drag moves the picture. */
  #listenToPointer() {
    const { stage } = this;
    let from = null;
    let hasMoved = false;
    stage.addEventListener("pointerdown", (event) => {
      hasMoved = false;
      from = event.pointerType === "mouse" && event.button === 0 && this.#isFull
        ? { x: event.clientX + stage.scrollLeft, y: event.clientY + stage.scrollTop, event } : null;
    });
    stage.addEventListener("pointermove", (event) => {
      if (!from || !(event.buttons & 1)) return;
      hasMoved ||= Math.hypot(event.clientX - from.event.clientX, event.clientY - from.event.clientY) > dragPixels;
      if (hasMoved) stage.scrollTo(from.x - event.clientX, from.y - event.clientY);
    });
    stage.addEventListener("click", (event) => {
      if (hasMoved) return;
      if (event.target !== this.image) return this.#dialog.close();
      if (this.stage.classList.contains("fits")) return;
      const box = this.image.getBoundingClientRect();
      this.#showFull(!this.#isFull, {
        x: (event.clientX - box.left) / box.width, y: (event.clientY - box.top) / box.height,
      });
    });
  }
}

customElements.define("picture-viewer", PictureViewer);

/**
 * Shows pictures as large as the screen, beginning with one of them.
 * @param {import("./thread-pictures.js").Picture[]} pictures at least one
 * @param {number} index
 * @param {HTMLElement|null} [opener] gets the focus back
 * @param {Keep|null} [keep] keeps a picture, where that is offered
 */
export function openPictures(pictures, index, opener = null, keep = null) {
  const viewer = /** @type {PictureViewer} */ (document.createElement("picture-viewer"));
  document.body.append(viewer);
  viewer.show(pictures, index, opener, keep);
}

/**
 * Shows the picture that an `attachment-open` is about, among those of its messages.
 * @param {CustomEvent} event
 * @param {import("./thread-pictures.js").Picture[]} pictures
 * @param {string} [message] the one whose picture was pressed, where two have the same file
 * @param {Keep|null} [keep] keeps a picture, where that is offered
 */
export function openPressedPicture(event, pictures, message, keep = null) {
  const { attachment, url } = event.detail;
  const opener = /** @type {HTMLElement} */ (event.target);
  let index = pictures.findIndex((one) => one.url === url && one.message === message);
  if (index < 0) index = pictures.findLastIndex((one) => one.url === url);
  if (index < 0) openPictures([{ name: attachment.name, url }], 0, opener, keep);
  else openPictures(pictures, index, opener, keep);
}
