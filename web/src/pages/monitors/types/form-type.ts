// One monitor type in the form: its values, how they are read and written, their problems, and its folds.
import type { TFunction } from 'i18next';
import type { TObject } from 'typebox';
import type { MonitorType } from '#src/domain/names.ts';
import { withDefaults } from '#src/monitors/types/defaults.ts';
import type { Formats } from '#web/format.ts';

export type ConfigValues = Record<string, unknown>;

/** A sentence about one field, in both languages: a key of the texts and what it is filled in with. */
export type Problem = { key: string; values?: Record<string, string | number> };

/** By path inside the config ("port", "schedule.expression"). */
export type Problems = Record<string, Problem | null>;

/** A folded part of the form. */
export type TypeFold<Values> = {
  id: string;
  /** First segments of the paths inside the config that live in it. */
  fields: readonly string[];
  title: (t: TFunction) => string;
  /** Its summary while it is closed. */
  summary: (t: TFunction, formats: Formats, values: Values) => string;
};

export type FormType<Values, Config> = {
  type: MonitorType;
  /** The schema of the config. An untouched form shows its defaults. */
  schema: TObject;
  /** Fields of the config in an untouched form: blanks where the schema has no default, suggestions of the form's own. */
  start: Partial<Record<keyof Config & string, unknown>>;
  read: (config: Config) => Values;
  /** The `config` that the interface takes. */
  write: (values: Values) => Record<string, unknown>;
  /** Where the secrets of a config go; see TypeRules of the server. */
  destination?: (config: Readonly<Record<string, unknown>>) => string;
  /** Problems that show without the server, which validates again, and more. */
  problems: (values: Values) => Problems;
  folds: readonly TypeFold<Values>[];
  /** Fields of the form for paths of the server that the form spells differently. */
  aliases?: Readonly<Record<string, string>>;
};

export type AnyType = FormType<ConfigValues, unknown> & {
  /** A form that nobody has touched. The timeout is empty: the server chooses it by the interval. */
  initial: ConfigValues;
};

/** Every type reads and writes its own values only, so that a list of them may forget which. */
export function formType<Values extends object, Config>(type: FormType<Values, Config>): AnyType {
  const values = type.read(withDefaults(type.schema, type.start) as Config);
  const initial = 'timeout_ms' in values ? { ...values, timeout_ms: '' } : values;
  return { ...(type as unknown as AnyType), initial: initial as ConfigValues };
}
