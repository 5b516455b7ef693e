// The form of a monitor type: its values, how it reads and writes configs, its validation, sections and fields.
import type { TFunction } from 'i18next';
import type { ComponentType } from 'react';
import type { TObject } from 'typebox';
import type { MonitorType } from '#src/domain/names.ts';
import { withDefaults } from '#src/monitors/types/defaults.ts';
import type { Formats } from '#web/format.ts';

export type ConfigValues = Record<string, unknown>;

/** A sentence about one field: a key of the texts and its parameters; durations are in seconds, and said in words. */
export type Problem = {
  key: string;
  values?: Record<string, string | number>;
  durations?: Record<string, number>;
};

/** By path inside the config ("port", "schedule.expression"). */
export type Problems = Record<string, Problem | null>;

/** A collapsible section of the form. */
export type FormSection<Values> = {
  id: string;
  /** The first segments of its paths inside the config. */
  fields: readonly string[];
  title: (t: TFunction) => string;
  /** Its summary while it is collapsed. */
  summary: (t: TFunction, formats: Formats, values: Values) => string;
};

export type TypeForm<Values, Config> = {
  type: MonitorType;
  /** The schema of the config. A new form shows its defaults. */
  schema: TObject;
  /** Config fields of a new form: blanks where the schema has no default, or suggestions. */
  start: Partial<Record<keyof Config & string, unknown>>;
  read: (config: Config) => Values;
  /** The `config` for the API. */
  write: (values: Values) => Record<string, unknown>;
  /** Where the secrets of a config are sent; see the server's TypeRules. */
  destination?: (config: Readonly<Record<string, unknown>>) => string;
  /** For a type with another default interval: seconds, and the sentence that explains it. */
  interval?: { start: number; least: number; hint: (t: TFunction) => string };
  /** Problems that can be found without the server, which validates everything again. */
  problems: (values: Values) => Problems;
  sections: readonly FormSection<Values>[];
  /** Fields of the form for server paths with another name. */
  aliases?: Readonly<Record<string, string>>;
};

/** The fields that are always open, and the contents of the sections by id. */
export type TypeFields = { Open: ComponentType; sections: Readonly<Record<string, ComponentType>> };

export type AnyForm = TypeForm<ConfigValues, unknown> & {
  /** The values of a new form. The timeout is empty: the server chooses it by the interval. */
  initial: ConfigValues;
};

/** Every form reads and writes only values of its own type, so callers may drop the type parameter. */
export function typeForm<Values extends object, Config>(form: TypeForm<Values, Config>): AnyForm {
  const values = form.read(withDefaults(form.schema, form.start) as Config);
  const initial = 'timeout_ms' in values ? { ...values, timeout_ms: '' } : values;
  return { ...(form as unknown as AnyForm), initial: initial as ConfigValues };
}
