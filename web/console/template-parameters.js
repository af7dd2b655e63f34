/** What the server fills in by itself. */
const SERVER_FILLED = new Set(["customer.name", "customer.locale", "business.name", "agent.name"]);
const PLACEHOLDER = /\{\{\s*([A-Za-z][\w.-]{0,63})\s*\}\}/g;

/**
 * The parameters that a template's text asks for, in the order they appear, each once.
 * @param {string} text
 * @returns {string[]}
 */
export function findParameters(text) {
  const names = new Set();
  for (const match of text.matchAll(PLACEHOLDER)) {
    if (!SERVER_FILLED.has(match[1])) names.add(match[1]);
  }
  return [...names];
}

/**
 * The payload with something plausible in each place, to draw it; null while it is not JSON.
 * @param {string} text
 * @param {Map<string, {default?: string, choices?: string[], type?: string}>} types
 */
export function fillPreview(text, types) {
  const filled = text.replace(PLACEHOLDER, (_, name) => {
    const known = types.get(name);
    const value = known?.default || known?.choices?.[0] || `‹${name}›`;
    return JSON.stringify(String(value)).slice(1, -1);
  });
  try {
    return JSON.parse(filled);
  } catch {
    return null;  // Safe: half-typed; the editor says so.
  }
}
