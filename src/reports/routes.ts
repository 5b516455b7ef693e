import { listIncidents } from '../incidents/contract.ts';
import type { Operation } from '../platform/contract.ts';
import { hasRight } from '../platform/http/authorize.ts';
import { type Call, type Route, raw, show } from '../platform/http/route.ts';
import { readLogo } from '../status-pages/public/logos.ts';
import * as contract from './contract.ts';
import { reportCsv } from './csv.ts';
import { fileNameOf } from './file-name.ts';
import { readReport } from './read.ts';

const asking = (call: Call<Operation>) => ({
  orgId: call.resource.orgId,
  within: call.within,
  now: call.now,
  // Incidents have a scope of their own.
  seesIncidents: hasRight(listIncidents, call),
});

/** Answers with a file to be saved. */
const file = (route: Route): Route => ({ ...route, held: false });

const DRAWN = ['image/png', 'image/jpeg'];

export const reportRoutes: Route[] = [
  show(contract.getReport, (call) => readReport(call.db, call.query, asking(call as never))),
  file(
    raw(contract.getReportTable, async (call) => {
      const { table = 'monitors', ...query } = call.query;
      const report = await readReport(call.db, query, asking(call as never));
      const name = fileNameOf(report, `${table}.csv`);
      return call.reply
        .header('content-disposition', `attachment; filename="${name}"`)
        .type('text/csv; charset=utf-8')
        .send(reportCsv(report, table));
    }),
  ),
  file(
    raw(contract.getReportDocument, async (call) => {
      const { language = 'en', ...query } = call.query;
      const report = await readReport(call.db, query, asking(call as never));
      const { kind, id } = report.subject;
      const logo = kind === 'status_page' && id !== null ? await readLogo(call.db, id, 'light') : null;
      const drawn = logo !== null && DRAWN.includes(logo.type) ? Buffer.from(logo.body) : null;
      // Loaded with the first report: most servers never make one.
      const { makePdf } = await import('./pdf/make.ts');
      const bytes = await makePdf({ report, language, logo: drawn, at: call.now });
      return call.reply
        .header('content-disposition', `attachment; filename="${fileNameOf(report, 'pdf')}"`)
        .type('application/pdf')
        .send(bytes);
    }),
  ),
];
