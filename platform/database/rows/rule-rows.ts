import type { Generated } from "kysely";

/** `conditions`: JSON. */
export type RuleRow = {
  number: Generated<number>;
  id: string;
  outcome: "hold" | "report";
  conditions: string;
  message: string;
  enabled: boolean;
  createdAt: number;
  updatedAt: number;
};
