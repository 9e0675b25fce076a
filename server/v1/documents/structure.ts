import type { z } from "zod";
import { ApiError } from "../errors.ts";
import { ownErrorText } from "../params.ts";

const kinds: Record<string, string> = {
  string: "Value must be a valid string",
  number: "Value must be a valid integer",
  int: "Value must be a valid integer",
  boolean: "Value must be a valid boolean",
};

export async function parseAttributes<Schema extends z.ZodType<object>>(
  schema: Schema,
  data: Record<string, unknown>,
): Promise<z.output<Schema>> {
  const result = await schema.safeParseAsync(data);
  if (result.success) return result.data;
  throw new ApiError("document_invalid_structure", `Invalid document structure: ${reasonOf(result.error.issues[0], data)}`);
}

function reasonOf(issue: z.core.$ZodIssue | undefined, data: Record<string, unknown>): string {
  if (issue?.code === "unrecognized_keys") return `Unknown attribute: "${issue.keys[0]?.slice(0, 100)}"`;
  const name = String(issue?.path[0] ?? "");
  if (!Object.hasOwn(data, name) || (data[name] ?? null) === null) return `Missing required attribute "${name}"`;
  if (issue?.code === "invalid_type") return `Attribute "${name}" has invalid type. ${kinds[issue.expected] ?? "Value is not valid"}`;
  if (issue?.code === "invalid_value") return `Attribute "${name}" has invalid format. Value must be one of (${issue.values.join(", ")})`;
  const words = issue && ownErrorText(issue);
  if (words === issue?.message) return words ?? "Value is not valid";
  return `Attribute "${name}" has invalid type. ${words ?? "Value is not valid"}`;
}
