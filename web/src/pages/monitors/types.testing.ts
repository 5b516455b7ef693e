// The forms of all types, preloaded for tests.
import { createRequire } from 'node:module';
import { MONITOR_TYPES, type MonitorType } from '#src/domain/names.ts';
import type { AnyForm } from './types/type-form.ts';

const require = createRequire(import.meta.url);
const formOf = (type: MonitorType) => (require(`./types/${type}/form.ts`) as { form: AnyForm }).form;

export const FORMS = Object.fromEntries(MONITOR_TYPES.map((type) => [type, formOf(type)])) as Record<
  MonitorType,
  AnyForm
>;
