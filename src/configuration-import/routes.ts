import { type Route, raw } from '../platform/http/route.ts';
import { makeSlots } from '../platform/http/slots.ts';
import * as contract from './contract.ts';
import { importConfiguration } from './import.ts';
import type { ImportOptions } from './importing.ts';
import { readFile } from './read-file.ts';

/** Each holds a connection for as long as it makes a thousand monitors. */
const MAX_IMPORTS = 4;

export function importRoutes(options: ImportOptions): Route[] {
  const slots = makeSlots(MAX_IMPORTS);
  const route = raw(contract.importConfiguration, async ({ resource, query, body, tenant, work }) => {
    const { orgId } = resource;
    const release = slots.take(
      tenant?.owner ?? orgId,
      'Another import is under way; wait until it is finished, and try again.',
    );
    try {
      const given = await readFile(body);
      return await importConfiguration(work, { orgId, given, options, preview: query.preview ?? false });
    } finally {
      release();
    }
  });
  return [{ ...route, held: false }];
}
