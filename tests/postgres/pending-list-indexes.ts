/** Selects GIN indexes with `fastupdate`, which collect new entries in a list that every search scans. */
export const pendingListIndexes = `select c.relname as name from pg_class c join pg_am a on a.oid = c.relam
  where a.amname = 'gin' and not 'fastupdate=off' = any (coalesce(c.reloptions, '{}'))`;
