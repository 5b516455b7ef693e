import { createFormContext } from '@mantine/form';
import type { MonitorValues } from './values.ts';

/** The monitor form, shared with its sections. */
export const [MonitorFormProvider, useMonitorForm, useForm] = createFormContext<MonitorValues>();

/** The values of the current type, for its fields. */
export function useConfigValues<Values extends object>(): Values {
  return useMonitorForm().values.config as unknown as Values;
}
