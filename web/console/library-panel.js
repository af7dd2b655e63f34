import { addressOf, libraryPath, uploadToLibrary } from "../composer/library.js";
import { thumbnail, useLibraryStyles } from "../composer/library-picker.js";
import { api } from "../lib/api.js";
import { adopt, h, replace, sheet } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { formatBytes, formatDay } from "../lib/time.js";
import { showToast } from "../lib/toast.js";
import { SteadyList } from "../lib/steady-list.js";
import { keptBusiness } from "./kept-business.js";
import { showUnread } from "./load-alert.js";
import { card, confirmAction, sentence } from "./panel-parts.js";
import { may } from "./permissions.js";
import { businessField, useSettingsStyles } from "./settings-parts.js";

/** What a library holds at most, as `docs/limits.md` has it; and the longest name in characters that always fits. */
const MOST_FILES = 1_000;
const MOST_BYTES = 1_073_741_824;
const MOST_FILE_BYTES = 100_000_000;
const MOST_CHARACTERS = 60;
const PAGE = 40;

const styles = sheet(`
.library-list { display: grid; gap: 10px; margin: 0; padding: 0; list-style: none; }
.library-list li { display: grid; grid-template-columns: 72px minmax(0, 1fr) auto; align-items: center; gap: 10px; }
.library-list .library-thumb { height: 56px; border: 1px solid var(--fd-line); }
.library-list .fd-help { margin: 2px 0 0; overflow-wrap: anywhere; }
.library-list strong { overflow-wrap: anywhere; }
.library-bar { display: flex; flex-wrap: wrap; align-items: center; gap: 8px; }
.library-bar .fd-input { flex: 1 1 180px; min-width: 0; width: auto; }
@media (max-width: 640px) { .library-list li { grid-template-columns: 56px minmax(0, 1fr); } .library-list .library-remove { grid-column: 2; justify-self: start; } }
`);

/** The library of a business: its files to look at, to rename and to remove. Values down: `session`. */
class LibraryPanel extends HTMLElement {
  session = null;
  #business = null;
  #files = [];
  #page = null;
  #round = 0;
  #steady;

  connectedCallback() {
    useSettingsStyles();
    useLibraryStyles();
    adopt(styles);
    const { businesses } = this.session;
    this.#business = keptBusiness(businesses) ?? businesses.find((one) => !one.isSandbox) ?? businesses[0];
    this.#build();
  }

  get #place() { return { business: this.#business }; }

  #build() {
    this.alert = h("p", { class: "fd-error", role: "alert" });
    this.status = h("p", { class: "fd-help", role: "status" });
    this.list = h("div");
    this.#steady = new SteadyList(this.list);
    this.search = h("input", { class: "fd-input", type: "search", placeholder: t("library.search"), "aria-label": t("library.search"), autocomplete: "off",
      onInput: () => this.#read() });
    replace(this, h("section", { class: "panel" }, h("h1", null, t("library.title")),
      businessField("library-business", this.session.businesses, this.#business, async (chosen) => {
        this.#business = chosen;
        await this.#build();
      }), h("p", { class: "fd-help" }, t("library.lead")),
      h("div", { class: "library-bar" }, this.search, may(this.#business, "library.add") ? this.#addButton() : null),
      this.alert, this.status, this.list));
    return this.#read();
  }

  #addButton() {
    const input = h("input", { type: "file", class: "fd-hidden-text", tabindex: "-1", "aria-hidden": "true", multiple: true, onChange: () => {
      this.#add([...input.files]);
      input.value = "";
    } });
    return [input, h("button", { type: "button", class: "fd-button is-primary", onClick: () => input.click() }, t("library.add"))];
  }

  async #read(after = null) {
    const mine = (this.#round += 1);
    try {
      const page = await api.get(libraryPath(this.#place), { query: { q: this.search.value.trim(), "page[size]": PAGE, "page[after]": after } });
      if (mine !== this.#round) return;
      this.#page = page;
      this.#files = after ? [...this.#files, ...page.data] : page.data;
      this.#draw();
    } catch (problem) {
      if (mine === this.#round) {
        showUnread(this.alert, problem, () => {
          this.alert.textContent = "";
          return this.#read(after);
        });
      }
    }
  }

  async #add(chosen) {
    this.alert.textContent = "";
    // All of them are this business's, also when another one is chosen before the last.
    const place = this.#place;
    const isHere = () => place.business === this.#business;
    const [kept, refused] = [[], []];
    for (const file of chosen) {
      if (isHere()) this.status.textContent = t("library.adding", { name: file.name });
      try {
        const unfit = unfitWords(file);
        if (unfit) throw { detail: unfit };
        const { entry, isNew } = await uploadToLibrary(place, file);
        kept.push(t(isNew ? "library.kept" : "library.known", { name: entry.name }));
      } catch (problem) {
        refused.push(t("library.refused", { name: file.name, reason: sentence(problem) }));
        if (isHere()) this.alert.textContent = refused.join("\n");
      }
    }
    if (kept.length) showToast(kept.length === 1 ? kept[0] : t("library.keptMany", { count: kept.length }));
    if (refused.length && !isHere()) showToast(refused.join("\n"));
    if (isHere()) await this.#read();
  }

  #draw() {
    const { files, bytes, hasMore, next } = this.#page;
    this.status.textContent = t("library.use", {
      files: files.toLocaleString(), mostFiles: MOST_FILES.toLocaleString(), bytes: formatBytes(bytes), mostBytes: formatBytes(MOST_BYTES),
    });
    this.#steady.draw(() => [card("", this.#files.length
      ? h("ul", { class: "library-list" }, this.#files.map((entry) => this.#row(entry)))
      : h("p", { class: "fd-help" }, t(files ? "library.noMatch" : "library.none")),
    hasMore ? h("button", { type: "button", class: "fd-button", onClick: () => this.#read(next) }, t("library.more")) : null)]);
  }

  #row(entry) {
    const { name, width, height, file, by, addedAt } = entry;
    const mayChange = may(this.#business, "library.manage") || (by?.type === "agent" && by.id === this.session.agent.id);
    const input = mayChange ? h("input", { class: "fd-input", value: name, maxlength: MOST_CHARACTERS, "aria-label": t("library.nameOf", entry), onChange: () => {
      const next = input.value.trim();
      if (next && next !== name) this.#rename(entry, next);
      else input.value = name;
    } }) : null;
    return h("li", { dataset: { file: entry.id } },
      h("a", { href: addressOf(this.#place, entry), target: "_blank", rel: "noopener", "aria-label": name }, thumbnail(this.#place, entry)),
      h("div", null, input ?? h("strong", null, name),
        h("p", { class: "fd-help" }, t(width === null ? "library.added" : "library.addedPicture", {
          width, height, size: formatBytes(file.size), name: by?.name ?? t("library.nobody"), date: formatDay(new Date(addedAt)),
        }))),
      mayChange ? h("button", {
        type: "button", class: "fd-button is-plain library-remove", "aria-label": t("library.removeOf", entry), onClick: () => this.#remove(entry),
      }, t("library.remove")) : null);
  }

  async #rename(entry, name) {
    this.alert.textContent = "";
    const business = this.#business;
    try {
      const renamed = await api.patch(`${libraryPath(this.#place)}/${entry.id}`, { name });
      this.#files = this.#files.map((one) => (one.id === renamed.id ? renamed : one));
      showToast(t("library.renamed", { name: renamed.name }));
    } catch (problem) {
      if (business !== this.#business) return showToast(`${entry.name}: ${sentence(problem)}`);
      this.alert.textContent = sentence(problem);
    }
    if (business === this.#business) this.#draw();
  }

  async #remove(entry) {
    if (!await confirmAction(t("library.removeAsk", entry), t("library.remove"))) return;
    this.alert.textContent = "";
    try {
      await api.delete(`${libraryPath(this.#place)}/${entry.id}`);
      showToast(t("library.removed", entry));
    } catch (problem) {
      this.alert.textContent = sentence(problem);
    }
    await this.#read();
  }
}

/** Why a file is not worth its way to the server; empty for none. @param {File} file */
function unfitWords({ size }) {
  if (size > MOST_FILE_BYTES) return t("library.tooLarge", { limit: formatBytes(MOST_FILE_BYTES) });
  return size === 0 ? t("library.empty") : "";
}

customElements.define("library-panel", LibraryPanel);
