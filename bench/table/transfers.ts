import { type Browser, chromium } from "@playwright/test";
import { findChromium } from "../../scripts/chromium.ts";
import type { DemoSite } from "./demo-site.ts";
import { kilobytes, type Line } from "./report.ts";

type Kind = "document" | "script" | "font" | "stylesheet" | "image";
type Loaded = Record<Kind, { files: number; bytes: number }> & { html: number };

const kinds: Kind[] = ["document", "script", "font", "stylesheet", "image"];
/** Milliseconds after which nothing more is waited for. */
const settledMs = 10_000;
const flags = ["--disable-gpu", "--disable-dev-shm-usage", ...(process.getuid?.() === 0 ? ["--no-sandbox"] : [])];

/** What a phone loads when it comes for the first time, until nothing more is under way. */
export async function measureTransfers({ url, stories, cookies }: DemoSite): Promise<Line[]> {
  const executablePath = findChromium();
  if (!executablePath) return [{ name: "first visits", figure: "not measured: no Chromium here" }];
  const browser = await chromium.launch({ executablePath, args: flags });
  const cookie = cookies[0] ?? "";
  const lines: Line[] = [];
  try {
    lines.push(...linesOf("landing", await visit(browser, url)));
    lines.push(...linesOf("story", await visit(browser, `${url}/post/${stories[0]}`)));
    lines.push(...linesOf("home, signed in", await visit(browser, url, cookie)));
    lines.push(...linesOf("/subscribe, signed in", await visit(browser, `${url}/subscribe`, cookie)));
  } finally {
    await browser.close();
  }
  return lines;
}

async function visit(browser: Browser, address: string, cookie?: string): Promise<Loaded> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, deviceScaleFactor: 2 });
  const [name = "", value = ""] = cookie?.split("=", 2) ?? [];
  if (cookie) await context.addCookies([{ name, value, url: address, httpOnly: true, sameSite: "Lax" }]);
  const page = await context.newPage();
  const loaded = { html: 0 } as Loaded;
  for (const kind of kinds) loaded[kind] = { files: 0, bytes: 0 };
  const counted: Promise<void>[] = [];
  page.on("requestfinished", (request) => {
    const path = new URL(request.url()).pathname;
    // What is fetched ahead has no kind of its own.
    const kind = path.endsWith(".js") ? "script" : (request.resourceType() as Kind);
    if (!(kind in loaded)) return;
    loaded[kind].files++;
    const count = async () => {
      loaded[kind].bytes += (await request.sizes()).responseBodySize;
    };
    counted.push(count());
  });
  const answer = await page.goto(address);
  await page.waitForLoadState("networkidle", { timeout: settledMs }).catch(() => {});
  loaded.html = (await answer?.body())?.length ?? 0;
  await Promise.all(counted);
  await context.close();
  return loaded;
}

function linesOf(page: string, { html, document, script, font, stylesheet, image }: Loaded): Line[] {
  const part = (what: string, { files, bytes }: { files: number; bytes: number }): Line => ({
    name: `${page}, ${what}`,
    figure: `${kilobytes(bytes)} kB in ${files}`,
    values: { kB: kilobytes(bytes), files },
  });
  return [
    { name: `${page}, HTML`, figure: `${kilobytes(html)} kB, ${kilobytes(document.bytes)} kB sent`, values: { kB: kilobytes(html) } },
    part("scripts", script),
    part("fonts", font),
    part("style sheets", stylesheet),
    part("pictures", image),
  ];
}
