/** The kinds whose forms a kept draft needs. @param {import("./kept-draft.js").KeptDraft|null} kept */
const kindsOf = (kept) => [kept?.card, ...kept?.behind ?? []].filter(Boolean).map((card) => card.kind);

/** Opens kinds, whose forms are loaded at their first use; one that arrives late opens nothing over what is open by then. */
import { isFormLoaded, loadForm } from "./forms.js";

export class FormOpening {
  #count = 0;
  /** A draft that waits for its form. */
  kept = null;

  /**
   * @param {string} kind
   * @param {() => void} go called as soon as there are the forms: at once where they are loaded
   * @param {() => void} fail called when the server did not answer
   * @param {import("./kept-draft.js").KeptDraft|null} [kept] that is put into its forms
   */
  open(kind, go, fail, kept = null) {
    const count = (this.#count += 1);
    const needed = [kind, ...kindsOf(kept)];
    if (needed.every(isFormLoaded)) return go();
    Promise.all(needed.map(loadForm)).then(() => { if (count === this.#count) go(); }, () => { if (count === this.#count) fail(); });
  }

  /** As `open` does, for the picker of templates. @param {() => void} go @param {() => void} fail */
  openTemplates(go, fail) {
    const count = (this.#count += 1);
    // At once, where it is loaded: what is typed next belongs to it.
    if (customElements.get("template-picker")) return go();
    import("./template-picker.js").then(() => { if (count === this.#count) go(); }, () => { if (count === this.#count) fail(); });
  }

  /** Notes the draft that the form on its way is opened for; where none is on its way there is nothing to note. */
  wait(kept) {
    this.kept = kindsOf(kept).every(isFormLoaded) ? null : kept;
  }

  /** Ends what is on its way. */
  end() {
    this.#count += 1;
    this.kept = null;
  }
}
