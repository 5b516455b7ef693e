import { slugFrom } from '../domain/slug.ts';
import type { Report } from './contract.ts';

/** The file name of a saved report: `report-acme-2026-10.pdf`. */
export function fileNameOf({ subject, period, from_unix, to_unix }: Report, ending: string): string {
  const day = (unix: number) => new Date(unix * 1000).toISOString().slice(0, 10);
  const when = period?.replace('/', '_') ?? `${day(from_unix)}_${day(to_unix)}`;
  const parts = ['report', slugFrom(subject.name).slice(0, 60), when].filter((part) => part !== '');
  return `${parts.join('-')}.${ending}`;
}
