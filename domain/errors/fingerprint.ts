import { createHash } from "node:crypto";

/** Ignores ids and numbers in the message and line numbers, so that it survives updates. */
export function fingerprintOf({ source, message, stack }: { source: string; message: string; stack: string }): string {
  const normalized = message.replaceAll(/(["'“‘`]).*?["'”’`]/g, "$1…").replaceAll(/\b[\w-]*\d[\w-]*\b/g, "#");
  const [place = ""] = framesOf(stack);
  return createHash("sha256").update(`${source}\n${normalized}\n${place}`).digest("base64url").slice(0, 22);
}

/** Function and file names, without line numbers, build hashes and hosts. */
function framesOf(stack: string): string[] {
  return stack
    .split("\n")
    .filter((line) => /^\s*at |@/.test(line) && !/node:internal|node_modules/.test(line))
    .map((line) =>
      line
        .trim()
        .replaceAll(/\w+:\/\/[^/\s)]*/g, "")
        .replaceAll(/-[\w-]{8}\.js/g, ".js")
        .replaceAll(/(:\d+)+/g, ""),
    );
}
