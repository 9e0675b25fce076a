import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chromium } from "@playwright/test";
import { runProgram, runTool } from "./processes.ts";

const minutes = 60_000;

/** The headless shell first: it needs a third less processor time. */
const usualPaths = [
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
];

/** The first Chromium that starts: `CHROMIUM`, then the usual paths, then Playwright's own. */
export function findChromium(): string | undefined {
  if (process.env.CHROMIUM) return starts(process.env.CHROMIUM) ? process.env.CHROMIUM : undefined;
  return [...usualPaths, chromium.executablePath()].find((path) => existsSync(path) && starts(path));
}

/** On some systems the path holds a script that only prints how to install Chromium. */
function starts(path: string): boolean {
  if (process.platform === "win32") return existsSync(path); // On Windows this would open a window.
  return spawnSync(path, ["--version"], { timeout: 30_000, stdio: "ignore" }).status === 0;
}

/** Finds or installs a Chromium. Prints what to do and returns undefined when neither works. */
export async function findOrInstallChromium(): Promise<string | undefined> {
  const found = findChromium();
  if (found) return found;
  if (process.env.CHROMIUM) {
    console.error(`CHROMIUM is ${process.env.CHROMIUM}, which doesn't start here. The journeys can't run.`);
    return undefined;
  }
  console.log("\nThe journeys need a Chromium and this machine has none: installing one …");
  await runTool("@playwright/test", "playwright", ["install", "chromium"], { timeout: 3 * minutes });
  const downloaded = findChromium();
  if (downloaded) return downloaded;
  await installFromSystem();
  const installed = findChromium();
  if (!installed) console.error("No Chromium could be installed. Install one and set CHROMIUM to its path, then run the tests again.");
  return installed;
}

async function installFromSystem(): Promise<void> {
  if (!existsSync("/usr/bin/apt-get")) return;
  const asRoot = process.getuid?.() === 0 ? [] : ["sudo", "-n"];
  const apt = (args: string[]) => {
    const [program = "", ...rest] = [...asRoot, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", ...args];
    return runProgram(program, rest, { timeout: 10 * minutes });
  };
  await apt(["update"]);
  const install = (name: string) => apt(["install", "-y", "--no-install-recommends", name]);
  await install("chromium-headless-shell");
  if (!findChromium()) await install("chromium");
}
