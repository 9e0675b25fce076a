import { spawn } from "node:child_process";
import { basename } from "node:path";
import { text } from "node:stream/consumers";
import { z } from "zod";
import { parseJson } from "#platform/json.ts";

/** A registry that doesn't answer must not delay a check. */
const registryTimeoutMs = 20_000;
const seriousSeverities = ["high", "critical"] as const;

const Audit = z.object({
  vulnerabilities: z.record(z.string(), z.object({ severity: z.string(), range: z.string() })),
});

/** Advisories of the registry for the production packages; undefined without an answer, as offline. */
export async function requestAudit(): Promise<z.infer<typeof Audit> | undefined> {
  const { output } = await npm(["audit", "--json", "--omit=dev", "--package-lock-only"], registryTimeoutMs);
  return Audit.safeParse(parseJson(output)).data;
}

/** Serious advisories fail, others are only printed; without an answer it prints so and passes. @returns an exit code. */
export function reportAdvisories(audit: Awaited<ReturnType<typeof requestAudit>>): number {
  if (!audit) {
    console.log("The registry didn't answer, so advisories were not checked.");
    return 0;
  }
  const known = Object.entries(audit.vulnerabilities);
  for (const [name, { severity, range }] of known) console.log(`${severity}: ${name} ${range}`);
  if (known.length === 0) console.log("There are no known vulnerabilities in the production packages.");
  return known.some(([, { severity }]) => (seriousSeverities as readonly string[]).includes(severity)) ? 1 : 0;
}

/** Prints the production packages in CycloneDX. @returns an exit code. */
export async function printBillOfMaterials(): Promise<number> {
  const { output, code } = await npm(["sbom", "--sbom-format=cyclonedx", "--sbom-type=application", "--omit=dev", "--package-lock-only"]);
  // Write everything before the process ends.
  await new Promise((resolve) => process.stdout.write(output, resolve));
  return code;
}

/** The npm that started this process, or the one on the path. */
async function npm(args: string[], timeout?: number): Promise<{ output: string; code: number }> {
  const own = process.env.npm_execpath ?? "";
  const [file, first] = basename(own) === "npm-cli.js" ? [process.execPath, [own]] : ["npm", []];
  const child = spawn(file, [...first, ...args], {
    stdio: ["ignore", "pipe", "ignore"],
    shell: file === "npm" && process.platform === "win32",
    ...(timeout && { timeout }),
  });
  const ended = new Promise<number>((resolve) => {
    child.on("error", () => resolve(1));
    child.on("close", (code) => resolve(code ?? 1));
  });
  return { output: await text(child.stdout), code: await ended };
}
