import { createHash } from "node:crypto";

/** The same error has the same one, whatever ids and numbers its message has and whichever line of the program it is after an update. */
export function fingerprintOf({ source, message, stack }: { source: string; message: string; stack: string }): string {
  const alike = message.replaceAll(/(["'“‘`]).*?["'”’`]/g, "$1…").replaceAll(/\b[\w-]*\d[\w-]*\b/g, "#");
  const [place = ""] = framesOf(stack);
  return createHash("sha256").update(`${source}\n${alike}\n${place}`).digest("base64url").slice(0, 22);
}

/** Functions and files, without lines, hashes of builds and addresses. */
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
