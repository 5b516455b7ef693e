// The role "pages": the public side of status pages.
import { serveStatusPages } from '../status-pages/public/serve.ts';
import type { Foundation } from './foundation.ts';
import type { Slice } from './slice.ts';

export function startPages(foundation: Foundation): Slice {
  const { config, hooks, log, db, listener, directory, domains, clock, elapsedMs } = foundation;
  const { firstOwnerOf, mail, slowDown, reads } = foundation;
  return {
    routes: [],
    async serve(http) {
      const pages = await serveStatusPages(http, {
        ...{ db, reads, clock, log, listener, directory, firstOwnerOf, slowDown, elapsedMs, mail },
        key: foundation.written.pagesKey,
        baseUrl: config.baseUrl,
        edgePort: domains.edgePort,
      });
      hooks.add('status pages', async () => pages.stop());
    },
    release: () => undefined,
  };
}
