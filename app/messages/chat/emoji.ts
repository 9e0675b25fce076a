type EmojiGroup = { name: string; emoji: string[] };

const group = (name: string, emoji: string): EmojiGroup => ({ name, emoji: emoji.split(" ") });

export const emojiGroups: EmojiGroup[] = [
  group(
    "Smileys and people",
    "😀 😃 😄 😁 😆 😅 😂 🙂 🙃 😉 😊 😇 🥰 😍 😘 😋 😜 🤗 🤔 🤨 😐 😏 😬 😌 😔 😴 🤧 🥳 😎 🤓 😕 😟 😮 😳 🥺 😢 😭 😤 😱 😡 👍 👎 👏 🙌 🙏 🤝 💪 ✍️ 👋 🤞 ✌️ 👌 👀 🫶 🤷 🙈",
  ),
  group("Hearts and signs", "❤️ 🧡 💛 💚 💙 💜 🖤 🤍 💔 💕 ✨ ⭐ 🔥 💯 ✅ ❌ ❓ ❗ 💬 💤 🎵 🎶 ♻️ ⚡"),
  group("Nature", "🐱 🐶 🐦 🦉 🐟 🐝 🦊 🐢 🌱 🌿 🍀 🌳 🌸 🌻 🍂 🌙 ☀️ ⛅ 🌧️ ❄️ 🌈 🌊 ⛰️ 🌍"),
  group("Food and places", "☕ 🍵 🍞 🧀 🍎 🍋 🍓 🥕 🍜 🍰 🍪 🍷 🏠 🏡 🚲 🚆 ✈️ ⛵ 🗺️ ⛺ 🏙️ 🌉 🛏️ 🪑"),
  group("Things and writing", "📖 📚 📝 ✏️ 🖋️ 📄 📎 📌 ✉️ 📬 📷 🎨 🎻 🎸 🎁 🎉 🎂 💡 🔑 🕯️ ⏰ 📅 🧵 🪶"),
];
