const postgresDeadlock = "40P01";

/**
 * PostgreSQL ended this of several transactions that waited for each other; nothing was saved. Not in errors.ts, which imports
 * node-postgres: browsers load what domain/site.ts imports.
 */
export function isDeadlock(error: unknown): boolean {
  return error instanceof Error && (error as { code?: unknown }).code === postgresDeadlock;
}
