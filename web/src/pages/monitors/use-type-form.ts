// Loads the form of a monitor type when it is opened: its logic and its fields together.
import { use } from 'react';
import type { MonitorType } from '#src/domain/names.ts';
import type { AnyForm, TypeFields } from './types/type-form.ts';
import { TYPES } from './types.ts';

export type OpenedForm = AnyForm & { fields: TypeFields };

const opened = new Map<MonitorType, Promise<OpenedForm>>();

async function load(type: MonitorType): Promise<OpenedForm> {
  const [{ form }, { fields }] = await Promise.all([TYPES[type].form(), TYPES[type].fields()]);
  return { ...form, fields };
}

/** Suspends until the form is loaded; the next caller retries a failed load. */
export function useTypeForm(type: MonitorType): OpenedForm {
  let form = opened.get(type);
  if (form === undefined) {
    form = load(type);
    opened.set(type, form);
    form.catch(() => opened.delete(type));
  }
  return use(form);
}
