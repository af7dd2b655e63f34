// Compares the tables of web/i18n/en and web/i18n/ja: same files, same keys, same placeholders.
import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "web", "i18n");
const placeholders = (text) => JSON.stringify((String(text).match(/\{[^}]+\}/g) ?? []).sort());
const load = async (path) => {
  const module = await import(pathToFileURL(path).href);
  return module.default ?? Object.values(module)[0];
};
let faults = 0;
let compared = 0;
const say = (text) => {
  faults += 1;
  console.log(text);
};
const english = readdirSync(join(root, "en"));
const japanese = readdirSync(join(root, "ja"));
for (const file of new Set([...english, ...japanese])) {
  if (!english.includes(file) || !japanese.includes(file)) {
    say(`${file}: in one language only`);
    continue;
  }
  const en = await load(join(root, "en", file));
  const ja = await load(join(root, "ja", file));
  for (const key of new Set([...Object.keys(en), ...Object.keys(ja)])) {
    compared += 1;
    if (!(key in en)) say(`${file}: ${key} has no English`);
    else if (!(key in ja)) say(`${file}: ${key} has no Japanese`);
    else if (placeholders(en[key]) !== placeholders(ja[key])) say(`${file}: ${key}: other placeholders`);
  }
}
if (compared === 0) say("no translation found");
console.log(`${compared} texts compared, ${faults} faults`);
process.exit(faults ? 1 : 0);
