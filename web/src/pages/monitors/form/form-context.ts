import { createFormContext } from '@mantine/form';
import type { MonitorValues } from './values.ts';

/** The monitor form, shared with its sections. */
export const [MonitorFormProvider, useMonitorForm, useForm] = createFormContext<MonitorValues>();
