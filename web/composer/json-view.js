import { h } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { copyText } from "../lib/clipboard.js";
import { wordButton } from "./fields.js";
import { adoptStyles } from "./styles.js";
import { lineNodes, piecesByLine } from "./json-lines.js";
import { marksOf } from "./editor/marks.js";
import { LineIndex } from "./editor/offsets.js";
import { byteCount } from "./json-tokens.js";
import { fixWords } from "./rule-words.js";
import { countedBytes } from "./sizes.js";

/** More lines than this are drawn on request. */
const shownLines = 1000;

/**
 * Message Contents (JSON): the exact text of a message, with line numbers.
 *
 * Values down: `text`, `findings`, or `composer` (a `<desk-composer>` to follow). Events up:
 * `edit-raw` with `detail.text`.
 */
export class JSONView extends HTMLElement {
  #text = "";
  #findings = [];
  #composer = null;
  #frame = 0;
  #heading = null;
  #rows = [];
  #showsAll = false;
  #rest = h("button", { type: "button", class: "cp-button js-rest", onclick: () => this.#showAll() });
  #title = h("h2");
  #size = h("span", { class: "js-size" });
  #copyButton = wordButton("", () => this.#copy(), { iconName: "copy", className: "cp-quiet" });
  #editButton = wordButton("", () => this.#editRaw(), { iconName: "edit", className: "cp-quiet" });
  /** The choice of another vendor's shape, which a view that follows a composer has from when it is first seen. */
  #shapes = null;
  #sight = new IntersectionObserver((sights) => sights.some((one) => one.isIntersecting) && this.#offerShapes());
  #head = h("header", { class: "js-head" },
    this.#title, this.#size, h("span", { class: "cp-grow" }), this.#copyButton, this.#editButton);
  #list = h("ol", { class: "js-lines" });
  #empty = h("p", { class: "js-empty" });
  #scroller = h("div", { class: "js-scroll", tabindex: "0", role: "region" });

  connectedCallback() {
    adoptStyles(this);
    this.#draw();
  }

  set text(text) {
    this.#text = text ?? "";
    this.#drawSoon();
  }

  get text() {
    return this.#text;
  }

  set findings(findings) {
    this.#findings = findings ?? [];
    this.#drawSoon();
  }

  /** Another heading than "Message Contents (JSON)". */
  set heading(heading) {
    this.#heading = heading;
    this.#drawSoon();
  }

  /** Follows a composer: shows its draft as it grows, and hands the text to its Raw JSON. */
  set composer(composer) {
    this.#composer?.removeEventListener("draft-change", this.#follow);
    this.#composer = composer;
    composer?.addEventListener("draft-change", this.#follow);
    this.#sight.disconnect();
    if (!composer) return;
    if (this.#shapes) this.#shapes.apiBase = composer.apiBase ?? "";
    else this.#sight.observe(this);
    this.#showDraft(composer.current);
  }

  async #offerShapes() {
    this.#sight.disconnect();
    // Safe: the text can be read without it, and the view of the next conversation asks for it again.
    const part = await import("./shape-switch.js").catch(() => null);
    if (!part || this.#shapes) return;
    this.#shapes = new part.ShapeSwitch();
    this.#shapes.apiBase = this.#composer?.apiBase ?? "";
    this.#shapes.addEventListener("shape-change", () => this.#drawSoon());
    this.#copyButton.before(this.#shapes);
    this.append(this.#shapes.losses);
    this.#shapes.show(this.#text);
  }

  get #isForeign() {
    return this.#shapes?.isForeign ?? false;
  }

  #follow = (event) => this.#showDraft(event.detail);

  #showDraft({ text, findings }) {
    this.#text = text ?? "";
    this.#findings = findings ?? [];
    this.#shapes?.show(this.#text);
    this.#drawSoon();
  }

  /** The text in the shape that is chosen. */
  get #shownText() {
    return this.#isForeign ? this.#shapes.shown ?? "" : this.#text;
  }

  #drawSoon() {
    if (!this.isConnected || this.#frame) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      this.#draw();
    });
  }

  #draw() {
    const text = this.#shownText;
    const heading = this.#heading ?? t("composer.json.title");
    this.#title.replaceChildren(heading);
    this.#size.replaceChildren(text === "" ? "" : t("composer.json.bytes", countedBytes(byteCount(text))));
    for (const [button, words] of [[this.#copyButton, "composer.json.copy"], [this.#editButton, "composer.json.editRaw"]]) {
      button.disabled = text === "" || (button === this.#editButton && this.#isForeign);
      button.querySelector("span").replaceChildren(t(words));
    }
    this.#drawRows();
    this.#empty.replaceChildren(t("composer.json.empty"));
    const shown = text === "" ? [this.#empty] : [this.#list, this.#rest];
    this.#scroller.setAttribute("aria-label", heading);
    // Removed and inserted again, it would lose its place.
    if (this.#scroller.firstChild !== shown[0]) this.#scroller.replaceChildren(...shown);
    if (!this.firstChild) this.append(this.#head, this.#scroller);
  }

  /** Lines that are as they were keep their rows: a long text is not drawn anew for one letter. */
  #drawRows() {
    const text = this.#shownText;
    const marks = this.#marksByLine();
    const lines = text === "" ? [] : piecesByLine(text);
    const count = this.#showsAll ? lines.length : Math.min(lines.length, shownLines);
    this.#rest.hidden = count === lines.length;
    this.#rest.replaceChildren(t("composer.json.rest", { count: lines.length - count }));
    const next = lines.slice(0, count).map((pieces, line) => {
      const mark = marks.get(line);
      const said = pieces.map((piece) => piece.text).join("");
      return { pieces, mark, stem: `${pieces[0]?.kind} ${said}\n${mark ? [mark.severity, ...mark.words].join("\n") : ""}` };
    });
    const before = this.#rows;
    const shorter = Math.min(before.length, next.length);
    let head = 0;
    while (head < shorter && before[head] === next[head].stem) head += 1;
    let tail = 0;
    while (tail < shorter - head && before.at(-1 - tail) === next.at(-1 - tail).stem) tail += 1;
    const fresh = next.slice(head, next.length - tail).map(({ pieces, mark }) =>
      h("li", { class: mark ? `js-line js-line-${mark.severity}` : "js-line", title: mark?.words.join("\n") },
        h("code", null, ...lineNodes(pieces), "\n")));
    const rows = this.#list.children;
    const gone = [...rows].slice(head, before.length - tail);
    const follower = rows[before.length - tail] ?? null;
    for (const row of gone) row.remove();
    const added = document.createDocumentFragment();
    added.append(...fresh);
    this.#list.insertBefore(added, follower);
    this.#rows = next.map(({ stem }) => stem);
  }

  #showAll() {
    this.#showsAll = true;
    this.#draw();
  }

  #marksByLine() {
    const marks = new Map();
    // The findings are about our own text.
    if (this.#isForeign) return marks;
    const index = new LineIndex(this.#text);
    for (const { finding, start } of marksOf(this.#text, this.#findings)) {
      const line = index.lineOf(start);
      const mark = marks.get(line) ?? { severity: "warning", words: [] };
      if (finding.severity === "error") mark.severity = "error";
      mark.words.push(fixWords(finding));
      marks.set(line, mark);
    }
    return marks;
  }

  async #copy() {
    const worked = await copyText(this.#shownText);
    const words = this.#copyButton.querySelector("span");
    words.replaceChildren(t(worked ? "composer.json.copied" : "composer.json.copyFailed"));
    setTimeout(() => words.replaceChildren(t("composer.json.copy")), 1600);
  }

  #editRaw() {
    const detail = { text: this.#text };
    if (this.#composer) this.#composer.editRaw(this.#text);
    this.dispatchEvent(new CustomEvent("edit-raw", { detail, bubbles: true }));
  }
}
customElements.define("json-view", JSONView);
