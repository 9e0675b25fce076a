import { z } from "zod";
import { parseS3Url } from "./files/s3-url.ts";
import { apiIdPattern } from "./ids.ts";

export function mailbox(text: string, { addIssue }: z.RefinementCtx) {
  const [, name = "", address = text] = /^(.*?)\s*<([^<>]*)>$/.exec(text) ?? [];
  if (!z.email().safeParse(address).success || /[\r\n"\\]/.test(name)) {
    addIssue("must be an address such as hello@example.com or Night Bus <hello@example.com>");
    return z.NEVER;
  }
  return { name, address };
}

export function namedIds(text: string, { addIssue }: z.RefinementCtx): Record<string, string> {
  const pairs = text.split(",").filter((pair) => pair.trim() !== "");
  const named = pairs.map((pair) => pair.trim().split("=") as [string, string?]);
  const isNamed = ([name, id = ""]: [string, string?]) => /^[a-z]+$/.test(name) && apiIdPattern.test(id);
  if (!named.every(isNamed)) addIssue("must name collections and ids, such as posts=64f1a,profiles=64f1b");
  return Object.fromEntries(named);
}

export function s3Url(text: string, { addIssue }: z.RefinementCtx) {
  try {
    return parseS3Url(text);
  } catch (error) {
    addIssue((error as Error).message);
    return z.NEVER;
  }
}
