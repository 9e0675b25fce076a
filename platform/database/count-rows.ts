import type { SelectQueryBuilder } from "kysely";

export async function countRows<Tables, Table extends keyof Tables, Row>(query: SelectQueryBuilder<Tables, Table, Row>): Promise<number> {
  const counting = query.clearSelect().select((eb) => eb.fn.countAll<number>().as("count"));
  const [row] = await counting.execute();
  return Number((row as { count: number }).count);
}
