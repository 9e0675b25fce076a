// Draws every cover and portrait: node draw.mjs [words to filter by]
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import sharp from "sharp";
import { covers, existing } from "./covers/index.mjs";
import { portraits } from "./portraits/index.mjs";
import { seeded } from "./random.mjs";
import { picture, startPicture } from "./shapes.mjs";

const demo = join(dirname(fileURLToPath(import.meta.url)), "..");
const wanted = process.argv.slice(2);
const isWanted = (name) => wanted.length === 0 || wanted.some((word) => name.startsWith(word));

async function save(folder, name, width, height, make) {
  startPicture();
  const svg = picture(make(seeded(name)), width, height);
  await sharp(Buffer.from(svg))
    .flatten({ background: "#faf3e3" })
    .jpeg({ quality: 80, mozjpeg: true })
    .toFile(join(demo, folder, `${name}.jpg`));
}

await mkdir(join(demo, "covers"), { recursive: true });
await mkdir(join(demo, "portraits"), { recursive: true });

const list = {};
for (const [theme, scenes] of Object.entries(covers)) {
  list[theme] = [...(existing[theme] ?? [])];
  for (const [i, scene] of scenes.entries()) {
    const name = `${theme}-${i + 1}`;
    list[theme].push(`${name}.jpg`);
    if (isWanted(name)) await save("covers", name, 1200, 630, scene);
  }
}
await writeFile(join(demo, "covers.json"), `${JSON.stringify(list, null, 2)}\n`);

for (const [key, portrait] of Object.entries(portraits)) if (isWanted(key)) await save("portraits", key, 400, 400, portrait);
