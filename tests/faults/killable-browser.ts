import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "@playwright/test";
import { findChromium } from "../../scripts/chromium.ts";

/** A browser with a profile on disk, which can be killed with all its processes. */
export type KillableBrowser = {
  start(): Promise<void>;
  open(address: string): Promise<Page>;
  /** SIGKILL for all its processes. */
  kill(): Promise<void>;
  /** Deletes the profile, as on another machine. */
  replace(): Promise<void>;
  setCookie(cookie: string, url: string): Promise<void>;
  setOffline(offline: boolean): Promise<void>;
  close(): Promise<void>;
};

const flags = ["--headless=new", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--disable-background-networking"];
const asRoot = process.getuid?.() === 0 ? ["--no-sandbox"] : [];

export function killableBrowser(): KillableBrowser {
  let profile = mkdtempSync(join(tmpdir(), "inkstead-browser-"));
  let child: ChildProcess | undefined;
  let browser: Browser | undefined;

  async function start() {
    const args = [...flags, ...asRoot, `--user-data-dir=${profile}`, "--remote-debugging-port=0", "about:blank"];
    // Its own process group, so that all its processes can be killed at once.
    child = spawn(process.env.CHROMIUM || (findChromium() ?? "chromium"), args, { stdio: ["ignore", "ignore", "pipe"], detached: true });
    browser = await chromium.connectOverCDP(await addressOf(child));
  }

  const context = () => {
    const [first] = browser?.contexts() ?? [];
    if (!first) throw new Error("the browser is not running");
    return first;
  };

  async function kill() {
    const killed = child;
    child = undefined;
    if (!killed?.pid) return;
    const ended = killed.exitCode === null ? once(killed, "exit") : undefined;
    process.kill(-killed.pid, "SIGKILL");
    await ended;
    await browser?.close().catch(() => {});
  }

  return {
    start,
    kill,
    open: async (address) => {
      const page = await context().newPage();
      await page.goto(address);
      return page;
    },
    async replace() {
      await kill();
      rmSync(profile, { recursive: true, force: true });
      profile = mkdtempSync(join(tmpdir(), "inkstead-browser-"));
    },
    async setCookie(cookie, url) {
      const [name = "", value = ""] = cookie.split("=", 2);
      const month = Date.now() / 1000 + 30 * 24 * 60 * 60;
      await context().addCookies([{ name, value, url, httpOnly: true, sameSite: "Lax", expires: month }]);
    },
    setOffline: (offline) => context().setOffline(offline),
    async close() {
      await kill();
      rmSync(profile, { recursive: true, force: true });
    },
  };
}

/** Chromium prints its address on standard error. */
async function addressOf(child: ChildProcess): Promise<string> {
  let output = "";
  for await (const chunk of child.stderr ?? []) {
    output += chunk;
    const address = /DevTools listening on (ws:\S+)/.exec(output)?.[1];
    if (address) {
      child.stderr?.resume();
      return address;
    }
  }
  throw new Error(`The browser did not start:\n${output}`);
}
