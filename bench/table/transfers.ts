import { type Browser, chromium } from "@playwright/test";
import { findChromium } from "../../scripts/chromium.ts";
import type { DemoSite } from "./demo-site.ts";
import { kilobytes, type Line } from "./report.ts";

type Kind = "document" | "script" | "font" | "stylesheet" | "image";
type Loaded = Record<Kind, { files: number; bytes: number }> & { html: number };

const kinds: Kind[] = ["document", "script", "font", "stylesheet", "image"];
const idleTimeoutMs = 10_000;
const flags = ["--disable-gpu", "--disable-dev-shm-usage", ...(process.getuid?.() === 0 ? ["--no-sandbox"] : [])];

/** What a phone loads at its first visit, without what the page prefetches once it is idle. */
export async function measureTransfers({ url, posts, cookies }: DemoSite): Promise<Line[]> {
  const executablePath = findChromium();
  if (!executablePath) return [{ name: "first visits", figure: "not measured: no Chromium here" }];
  const browser = await chromium.launch({ executablePath, args: flags });
  const cookie = cookies[0] ?? "";
  const lines: Line[] = [];
  try {
    lines.push(...linesOf("landing", await visit(browser, url)));
    lines.push(...linesOf("story", await visit(browser, `${url}/post/${posts[0]}`)));
    lines.push(...linesOf("home, signed in", await visit(browser, url, cookie)));
    lines.push(...linesOf("/subscribe, signed in", await visit(browser, `${url}/subscribe`, cookie)));
  } finally {
    await browser.close();
  }
  return lines;
}

async function visit(browser: Browser, url: string, cookie?: string): Promise<Loaded> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, deviceScaleFactor: 2 });
  const [name = "", value = ""] = cookie?.split("=", 2) ?? [];
  if (cookie) await context.addCookies([{ name, value, url, httpOnly: true, sameSite: "Lax" }]);
  const page = await context.newPage();
  await page.addInitScript(() => {
    window.requestIdleCallback = () => 0;
  });
  const loaded = { html: 0 } as Loaded;
  for (const kind of kinds) loaded[kind] = { files: 0, bytes: 0 };
  const protocol = await context.newCDPSession(page);
  await protocol.send("Network.enable");
  const kindOf = new Map<string, Kind>();
  protocol.on("Network.responseReceived", ({ requestId, type, response }) => {
    // Preloaded modules have the type "Other".
    const kind = new URL(response.url).pathname.endsWith(".js") ? "script" : (type.toLowerCase() as Kind);
    if (kind in loaded) kindOf.set(requestId, kind);
  });
  protocol.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    const kind = kindOf.get(requestId);
    kindOf.delete(requestId);
    if (!kind) return;
    loaded[kind].files++;
    loaded[kind].bytes += encodedDataLength;
  });
  const response = await page.goto(url);
  await page.waitForLoadState("networkidle", { timeout: idleTimeoutMs }).catch(() => {});
  loaded.html = (await response?.body())?.length ?? 0;
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
