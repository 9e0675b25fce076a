import { AsyncLocalStorage } from "node:async_hooks";
import type { Kysely, Transaction } from "kysely";

const current = new AsyncLocalStorage<{ open: boolean }>();

/**
 * Called before a driver hands out a connection. In a transaction the outer handle would deadlock on SQLite and bypass the transaction on
 * PostgreSQL.
 */
export function assertOutsideTransaction(): void {
  if (current.getStore()?.open) throw new Error("Inside a transaction only the transaction's own handle may be used.");
}

export function guardTransactions<Tables>(db: Kysely<Tables>): Kysely<Tables> {
  const begin = db.transaction.bind(db);
  db.transaction = () => {
    const builder = begin();
    const execute = builder.execute.bind(builder);
    builder.execute = (work) => execute((trx) => runMarked(trx, work));
    return builder;
  };
  return db;
}

function runMarked<Tables, Result>(trx: Transaction<Tables>, work: (trx: Transaction<Tables>) => Promise<Result>): Promise<Result> {
  const mark = { open: true };
  return current.run(mark, async () => {
    try {
      return await work(trx);
    } finally {
      mark.open = false;
    }
  });
}
