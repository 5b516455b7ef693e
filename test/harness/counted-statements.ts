// A database that counts the statements sent through it.
import type { KyselyPlugin } from 'kysely';
import type { Database } from '#src/platform/work.ts';

export function countStatements(db: Database): { db: Database; sent: () => number } {
  let sent = 0;
  const plugin: KyselyPlugin = {
    transformQuery({ node }) {
      sent += 1;
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  return { db: db.withPlugin(plugin), sent: () => sent };
}
