import { useState } from 'react';
import {
  getReportDocument,
  getReportTable,
  type ReportQuery,
  type ReportTable,
} from '#src/reports/contract.ts';
import { callForFile } from '#web/call.ts';
import { saveAs } from '#web/ui/use-file.ts';

/** Downloads a file of the report. */
export function useDownload(orgId: string, query: ReportQuery, language: 'en' | 'de') {
  const [making, setMaking] = useState<'pdf' | 'csv' | null>(null);
  const [error, setError] = useState<unknown>(null);
  const params = { org_id: orgId };
  const name = `report-${(query.period ?? '').replace('/', '_')}`;

  async function fetched(kind: 'pdf' | 'csv', get: () => Promise<Blob>, fileName: string) {
    setMaking(kind);
    setError(null);
    try {
      saveAs(await get(), fileName);
    } catch (refused) {
      setError(refused);
    } finally {
      setMaking(null);
    }
  }

  return {
    making,
    error,
    pdf: () =>
      fetched(
        'pdf',
        () => callForFile(getReportDocument, { params, query: { ...query, language } }),
        `${name}.pdf`,
      ),
    csv: (table: ReportTable) =>
      fetched(
        'csv',
        () => callForFile(getReportTable, { params, query: { ...query, table } }),
        `${name}-${table}.csv`,
      ),
  };
}
