// The forms of all types, loaded: what a page waits for, a test has at once.
import { MONITOR_TYPES, type MonitorType } from '#src/domain/names.ts';
import type { AnyForm } from './types/type-form.ts';
import { TYPES } from './types.ts';

const loaded = MONITOR_TYPES.map(async (type) => [type, (await TYPES[type].form()).form] as const);

export const FORMS = Object.fromEntries(await Promise.all(loaded)) as Record<MonitorType, AnyForm>;
