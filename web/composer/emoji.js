/** The emoji that the picker offers, by group, and those used last. */

/** @type {{name: string, all: string[]}[]} */
export const emojiGroups = [
  { name: "faces", all: split("😀 😃 😄 😁 😊 🙂 😉 😍 🥰 😘 😎 🤩 🥳 😇 🤗 🤔 😅 😂 🤣 😌 😴 😮 😢 😭 😔 😟 🙁 😬 😱 🤒 🤯 🙄") },
  { name: "hands", all: split("👍 👎 👌 👏 🙏 🙌 👋 🤝 ✌️ 🤞 💪 ☝️ 👇 👉 👈 🫶 ✍️ 🙇 🙋 🤷 🤦 💁") },
  { name: "hearts", all: split("❤️ 🧡 💛 💚 💙 💜 🖤 💔 💖 ✨ ⭐ 🌟 🔥 💯 🎉 🎊 🎁 🎂 🏆") },
  { name: "things", all: split("📦 🚚 🛒 🛍️ 💳 💶 🧾 🏷️ 📄 📎 📅 ⏰ ⏳ 📞 ✉️ 💬 📷 🔑 🔒 🔧 🏠 🏬 📍 🚗 🚲 🚆 ✈️ ☀️ 🌧️ ❄️ 🌸 🍀 ☕ 🍵 🍕 🍰") },
  { name: "signs", all: split("✅ ☑️ ❌ ⚠️ ❗ ❓ ℹ️ ➡️ ⬅️ ⬆️ ⬇️ 🔄 🆗 🆕 🔔 🔍 ➕ ➖ ⭕ 🟢 🟡 🔴") },
];

const KEY = "fd.emoji";
const KEPT = 16;

function split(text) {
  return text.split(" ");
}

/** Those used last on this device, the latest first. */
export function usedEmoji() {
  try {
    return (localStorage.getItem(KEY) ?? "").split(" ").filter(Boolean);
  } catch {
    return [];  // Safe: without storage nothing is remembered.
  }
}

/** @param {string} emoji */
export function rememberEmoji(emoji) {
  try {
    localStorage.setItem(KEY, [emoji, ...usedEmoji().filter((one) => one !== emoji)].slice(0, KEPT).join(" "));
  } catch {
    // Safe: as above.
  }
}
