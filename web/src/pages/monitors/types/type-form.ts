// The form of one monitor type: its values, how they are read and written, their problems, its folds and its fields.
import type { TFunction } from 'i18next';
import type { ComponentType } from 'react';
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

export type TypeForm<Values, Config> = {
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
  /** Where it is checked at another rhythm than the others: seconds, and the sentence that says why. */
  interval?: { start: number; least: number; hint: (t: TFunction) => string };
  /** Problems that show without the server, which validates again, and more. */
  problems: (values: Values) => Problems;
  folds: readonly TypeFold<Values>[];
  /** Fields of the form for paths of the server that the form spells differently. */
  aliases?: Readonly<Record<string, string>>;
};

/** What is always open, and the contents of the folds by their ids. */
export type TypeFields = { Open: ComponentType; folds: Readonly<Record<string, ComponentType>> };

export type AnyForm = TypeForm<ConfigValues, unknown> & {
  /** A form that nobody has touched. The timeout is empty: the server chooses it by the interval. */
  initial: ConfigValues;
};

/** Every form reads and writes values of its own type only, so that who holds one may forget which. */
export function typeForm<Values extends object, Config>(form: TypeForm<Values, Config>): AnyForm {
  const values = form.read(withDefaults(form.schema, form.start) as Config);
  const initial = 'timeout_ms' in values ? { ...values, timeout_ms: '' } : values;
  return { ...(form as unknown as AnyForm), initial: initial as ConfigValues };
}
