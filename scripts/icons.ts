import { readFileSync, writeFileSync } from "node:fs";
import { type ComponentType, createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";

/** `node scripts/icons.ts` generates the sprite of the icons in app/ui/icons.tsx from Lucide's. */
export const iconsFile = "app/ui/icons.svg";

/** Brand icons, which Lucide lacks. */
const brands: Record<string, string> = {
  facebook: '<path d="M18 2h-3a5 5 0 0 0-5 5v3H7v4h3v8h4v-8h3l1-4h-4V7a1 1 0 0 1 1-1h3z"/>',
  github:
    '<path d="M15 22v-4a4.8 4.8 0 0 0-1-3.5c3 0 6-2 6-5.5.08-1.25-.27-2.48-1-3.5.28-1.15.28-2.35 0-3.5 0 0-1 0-3 1.5-2.64-.5-5.36-.5-8 0C6 2 5 2 5 2c-.3 1.15-.3 2.35 0 3.5A5.4 5.4 0 0 0 4 9c0 3.5 3 5.5 6 5.5-.39.49-.68 1.05-.85 1.65-.17.6-.22 1.23-.15 1.85v4"/><path d="M9 18c-4.51 2-5-2-7-2"/>',
  linkedin:
    '<path d="M16 8a6 6 0 0 1 6 6v7h-4v-7a2 2 0 0 0-4 0v7h-4v-7a6 6 0 0 1 6-6z"/><path d="M2 9h4v12H2z"/><circle cx="4" cy="4" r="2"/>',
  twitter:
    '<path d="M22 4s-.7 2.1-2 3.4c1.6 10-9.4 17.3-18 11.6 2.2.1 4.4-.6 6-2C3 15.5.5 9.6 3 5c2.2 2.6 5.6 4.1 9 4-.9-4.2 4-6.6 7-3.8 1.1 0 3-1.2 3-1.2z"/>',
};

export async function drawIcons(): Promise<string> {
  const names = [...readFileSync("app/ui/icons.tsx", "utf8").matchAll(/ icon\("([\w-]+)"\)/g)].map(([, name]) => name ?? "");
  const symbols = names.map(async (name) => `<symbol id="${name}" viewBox="0 0 24 24">${brands[name] ?? (await lucide(name))}</symbol>\n`);
  return `<svg xmlns="http://www.w3.org/2000/svg">\n${(await Promise.all(symbols)).join("")}</svg>\n`;
}

async function lucide(name: string): Promise<string> {
  const { default: Drawing }: { default: ComponentType } = await import(`../node_modules/lucide-react/dist/esm/icons/${name}.mjs`);
  return renderToStaticMarkup(createElement(Drawing))
    .replace(/^<svg[^>]*>|<\/svg>$/g, "")
    .replace(/><\/\w+>/g, "/>");
}

if (import.meta.main) writeFileSync(iconsFile, await drawIcons());
