import { join, resolve } from "node:path";
import { buildIfNeeded } from "./build.ts";
import { runNode } from "./processes.ts";

/** Returns its exit code, or nothing when it started a server. */
type Command = (args: string[]) => Promise<number | undefined>;

const forOperators: Record<string, Command> = {
  start: (args) => runBuilt("build/site/serve.js", args),
  demo: (args) => runBuilt("scripts/demo.ts", args),
  admin: (args) => runHere("scripts/admin/admin.ts", args),
  "move-to-postgres": (args) => runHere("scripts/move-to-postgres.ts", args),
  backup: (args) => runHere("scripts/backup.ts", args),
  update: (args) => runHere("scripts/update/run-update.ts", args),
  restore: (args) => runHere("scripts/restore.ts", args),
};

const forDevelopers: Record<string, Command> = {
  build: async (args) => ((await buildIfNeeded({ always: !args.includes("--if-needed") })) ? 0 : 1),
  dev: (args) => runNode(["--watch", "--watch-preserve-output", ...watched, "server/serve.ts", "--dev", ...args]),
  prove: (args) => runNamed("prove", "prove", args),
  bench: (args) => runNamed("bench", "table", args),
  fuzz: (args) => runBuilt("scripts/fuzz.ts", args),
  gallery: (args) => runBuilt("gallery/gallery.ts", args),
  // These import development packages.
  check: async () => (await import("./check.ts")).check(),
  format: async (args) => (await import("./check.ts")).format(args),
  test: async () => (await import("./run-tests.ts")).runTests(),
  watch: async (args) => (await import("./run-tests.ts")).watchTests(args),
  "release-notes": (args) => runHere("scripts/release/print-notes.ts", args),
  sbom: async () => (await import("./supply-chain.ts")).printBillOfMaterials(),
};

// Vite watches the app's files. Without paths, Node would watch Vite's own output and restart forever.
const watched = ["server", "domain", "platform"].map((folder) => `--watch-path=${folder}`);

async function runBuilt(file: string, args: string[]): Promise<number | undefined> {
  if (!(await buildIfNeeded())) return 1;
  return runHere(file, args);
}

/** The program in the folder that the first argument names, or the usual one when there is none. */
async function runNamed(folder: string, usual: string, args: string[]): Promise<number> {
  const [name, ...rest] = !args[0] || args[0].startsWith("--") ? [usual, ...args] : args;
  return (await runBuilt(`${folder}/${name}.ts`, rest)) ?? Number(process.exitCode ?? 0);
}

/** In this process, which saves the memory of a second one and the forwarding of signals. */
async function runHere(file: string, args: string[]): Promise<undefined> {
  process.env.NODE_ENV = "production"; // React chooses its build by it at the first import.
  process.argv = [process.execPath, resolve(file), ...args];
  await import(join(import.meta.dirname, "..", file));
}

const [name = "", ...args] = process.argv.slice(2);
const command = forOperators[name] ?? forDevelopers[name];
if (!command) {
  const { commandLine } = await import("#platform/config.ts");
  const listed = commandLine("start").startsWith("npm") ? { ...forOperators, ...forDevelopers } : forOperators;
  console.error(`Unknown command "${name}". Commands: ${Object.keys(listed).join(", ")}.`);
  process.exit(1);
}
const code = await command(args);
if (code !== undefined) process.exit(code);
