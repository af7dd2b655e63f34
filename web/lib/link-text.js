/**
 * Cuts a text into plain parts and links. Only http, https, mailto and tel become links; a
 * `javascript:` never does, because no other scheme is searched for.
 */

// ASCII only: Japanese continues right behind an address without a space. An e-mail address begins where its
// letters do: begun at each of them, a long word would be read as often as it has letters.
const CANDIDATE = /(?<![a-z0-9])(?:https?:\/\/|mailto:|tel:|www\.)[!#-;=?-_a-z~]+|(?<![a-z0-9._+-])[a-z0-9._+-]+@[a-z0-9-]+(?:\.[a-z0-9-]+)+/gi;
const TRAILING = ".,;:!?)]}'\"";

/**
 * @param {string} text
 * @returns {{text: string, href: string|null}[]}
 */
export function splitLinks(text) {
  const parts = [];
  let end = 0;
  for (const match of text.matchAll(CANDIDATE)) {
    const found = trim(match[0]);
    const href = hrefOf(found);
    if (!href) continue;
    if (match.index > end) parts.push({ text: text.slice(end, match.index), href: null });
    parts.push({ text: found, href });
    end = match.index + found.length;
  }
  if (end < text.length) parts.push({ text: text.slice(end), href: null });
  return parts;
}

/**
 * An address that may be followed from a message, or null.
 * @param {unknown} address
 * @returns {string|null}
 */
export function safeHref(address) {
  try {
    const url = new URL(String(address));
    return ["http:", "https:", "mailto:", "tel:"].includes(url.protocol) ? url.href : null;
  } catch {
    return null;  // Safe: not an address, so not a link.
  }
}

function hrefOf(found) {
  if (/^www\./i.test(found)) return safeHref(`https://${found}`);
  if (!/^(?:https?|mailto|tel):/i.test(found)) return safeHref(`mailto:${found}`);
  return safeHref(found);
}

/** A full stop or a closing bracket after an address belongs to the sentence. */
function trim(found) {
  const opened = found.split("(").length;
  let closed = found.split(")").length;
  let end = found.length;
  while (end > 0 && TRAILING.includes(found[end - 1])) {
    if (found[end - 1] === ")") {
      if (opened >= closed) break;
      closed -= 1;
    }
    end -= 1;
  }
  return found.slice(0, end);
}
