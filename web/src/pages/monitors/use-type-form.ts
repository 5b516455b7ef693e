// The form of a monitor type comes when it is opened: its logic and its fields in one go.
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

/** Suspends until the form is there; what could not be loaded is tried again by the next who asks. */
export function useTypeForm(type: MonitorType): OpenedForm {
  let form = opened.get(type);
  if (form === undefined) {
    form = load(type);
    opened.set(type, form);
    form.catch(() => opened.delete(type));
  }
  return use(form);
}
