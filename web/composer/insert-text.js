/** Inserting text where the caret is. */

/**
 * Inserts text at the caret of a field; the typed text stays, and undo removes the inserted one.
 * @param {HTMLTextAreaElement|HTMLInputElement} field
 * @param {string} text
 */
export function insertAtCaret(field, text) {
  field.focus();
  field.setSelectionRange(field.selectionEnd, field.selectionEnd);
  // Undo works only for text that the browser itself inserts; the event `input` fills the draft.
  if (document.execCommand("insertText", false, text)) return;
  field.setRangeText(text, field.selectionEnd, field.selectionEnd, "end");
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

/**
 * A text of its own, such as a whole message, for the caret of a field: on lines of its own where words touch it.
 * @param {{value: string, selectionEnd: number|null}} field
 * @param {string} text
 */
export function apartFrom({ value, selectionEnd }, text) {
  const at = selectionEnd ?? value.length;
  if (!text) return text;
  return `${/\S$/.test(value.slice(0, at)) ? "\n" : ""}${text}${/^\S/.test(value.slice(at)) ? "\n" : ""}`;
}

/** The text field of an element that had the focus last. */
export class LastField {
  #field = null;

  /** The field, which may be gone. */
  get field() {
    return this.#field;
  }

  /** @param {HTMLElement} node that has the focus */
  see(node) {
    if (node.matches("textarea, input:not([type]), input[type=text]")) this.#field = node;
  }

  /** Inserts a text there; false when the field is gone, or read only. @param {HTMLElement} element @param {string} text */
  insert(element, text) {
    if (!this.#field || this.#field.readOnly || !element.contains(this.#field) || !this.#field.checkVisibility()) return false;
    insertAtCaret(this.#field, text);
    return true;
  }
}
