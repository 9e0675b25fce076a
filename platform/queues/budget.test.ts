import { expect, test } from "vitest";
import { Budget, BudgetExceeded } from "./budget.ts";

test("keys have separate budgets, which renew with the window", () => {
  let now = 0;
  const budget = new Budget(60_000, () => now);
  budget.assertBelow("a", 10);
  budget.spend("a", 6);
  now = 20_000;
  budget.spend("a", 6);
  const spent = () => budget.assertBelow("a", 10);
  expect(spent).toThrow(BudgetExceeded);
  try {
    spent();
  } catch (error) {
    expect((error as BudgetExceeded).retryAfterSeconds).toBe(40);
  }
  expect(() => budget.assertBelow("b", 10)).not.toThrow();
  now = 60_000;
  expect(spent).not.toThrow();
});
