import { parseWithZod } from "@conform-to/zod/v4";
import type { z } from "zod";

/**
 * Checks a form against a schema. Conform makes objects and lists of whatever names it is given ("a[100000000]", "a.b.c"),
 * obeys fields of its own and sends all of it back; so it is given the schema's own fields and nothing else.
 */
export function parseForm<Schema extends z.ZodObject>(form: FormData, schema: Schema) {
  return parseWithZod(pickFields(form, Object.keys(schema.shape)), { schema, async: true });
}

function pickFields(form: FormData, names: string[]): FormData {
  const picked = new FormData();
  for (const name of names) {
    const value = form.get(name);
    if (typeof value === "string") picked.set(name, value);
  }
  return picked;
}
