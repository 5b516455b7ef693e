// A monitor type in lists and pickers, without its form.
import type { TFunction } from 'i18next';
import type { ComponentType } from 'react';
import type { Formats } from '#web/format.ts';
import type { AnyForm, TypeFields } from './type-form.ts';

/** The headings under which types are offered, in order; their words are `typeGroups` of the texts. */
export const TYPE_GROUPS = ['web', 'network', 'names', 'servers', 'reporting', 'combined'] as const;

export type MonitorTypeParts<Config> = {
  /** How it is offered for a new monitor. */
  offered?: {
    group: (typeof TYPE_GROUPS)[number];
    icon: ComponentType<{ size: number; stroke: number; className?: string | undefined }>;
  };
  /** The target of a monitor in one line: for lists, heads, and as the default name; "" while there is none. */
  target: (config: Config, t: TFunction, formats: Formats) => string;
  /** The schemes of its URL: unencrypted, encrypted. Undefined: it has no URL. */
  schemes?: readonly [string, string];
  /** The URL that a browser can open. */
  link?: (config: Config) => string;
  /** The form, loaded when it is opened: its values with their validation, and its fields. */
  form: () => Promise<{ form: AnyForm }>;
  fields: () => Promise<{ fields: TypeFields }>;
};

/** Host and port; IPv6 in brackets. Empty without a host: the form calls it while it is still empty. */
export function address(host: string, port: number | null): string {
  if (host === '') return '';
  const bracketed = /^[0-9a-f.]*:[0-9a-f:.]*$/i.test(host) ? `[${host}]` : host;
  return port === null ? bracketed : `${bracketed}:${port}`;
}
