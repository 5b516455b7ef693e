// Sample calls of the operations that return figures; see operation-samples.ts.
import type { Sample } from './sample.ts';

const plain: Sample = {};

export const FIGURE_SAMPLES: Record<string, Sample> = {
  getMonitorSeries: plain,
  listMonitorFigures: { query: 'monitor_ids=mon_none' },
  getMonitorAnnotations: { query: 'from_unix=1700000000&to_unix=1700003600' },
  getMonitorHoursOfWeek: { query: 'timezone=Europe/Berlin' },
  getReport: plain,
  getReportTable: plain,
  getReportDocument: plain,
};
