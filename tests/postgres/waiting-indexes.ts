/** Asks for the indexes of words that let what they are given wait for a batch: every search goes through what waits. */
export const waitingIndexes = `select c.relname as name from pg_class c join pg_am a on a.oid = c.relam
  where a.amname = 'gin' and not 'fastupdate=off' = any (coalesce(c.reloptions, '{}'))`;
