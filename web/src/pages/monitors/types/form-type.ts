// What one monitor type is to the form: its values, the way to and from the wire, what may be wrong, what folds say.
import type { TFunction } from 'i18next';
import type { MonitorType } from '#src/domain/names.ts';
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
  /** What it says while it is closed. */
  summary: (t: TFunction, formats: Formats, values: Values) => string;
};

export type FormType<Values, Config> = {
  type: MonitorType;
  /** A form that has not been touched: the server's defaults, written out. */
  initial: Values;
  read: (config: Config) => Values;
  /** The `config` that the interface takes. */
  write: (values: Values) => Record<string, unknown>;
  /** Where the secrets of a config go; see the kind of the server. */
  destination?: (config: Readonly<Record<string, unknown>>) => string;
  /** What can be seen to be wrong without the server; it judges again, and more. */
  problems: (values: Values) => Problems;
  folds: readonly TypeFold<Values>[];
  /** Fields of the form for paths of the server that the form spells differently. */
  aliases?: Readonly<Record<string, string>>;
};

export type AnyType = FormType<ConfigValues, unknown>;

/** Every kind reads and writes its own values only, so that a list of them may forget which. */
export function formType<Values extends object, Config>(kind: FormType<Values, Config>): AnyType {
  return kind as unknown as AnyType;
}
