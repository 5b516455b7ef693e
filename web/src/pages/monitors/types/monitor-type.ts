// One monitor type as the dashboard knows it before anybody opens its form.
import type { TFunction } from 'i18next';
import type { ComponentType } from 'react';
import type { Formats } from '#web/format.ts';
import type { AnyForm, TypeFields } from './type-form.ts';

/** The headings under which types are offered, in their order; the words are `typeGroups` of the texts. */
export const TYPE_GROUPS = ['web', 'network', 'names', 'servers', 'reporting', 'combined'] as const;

export type MonitorTypeParts<Config> = {
  /** How it is offered for a new monitor. */
  offered?: {
    group: (typeof TYPE_GROUPS)[number];
    icon: ComponentType<{ size: number; stroke: number; className?: string | undefined }>;
  };
  /** What a monitor watches, in one line: for lists, heads, and as a name where none was typed; "" while nothing is said. */
  target: (config: Config, t: TFunction, formats: Formats) => string;
  /** The schemes of the address that it watches: unencrypted, encrypted. None: it is no URL. */
  schemes?: readonly [string, string];
  /** The address that a browser can open. */
  link?: (config: Config) => string;
  /** The form, loaded when it is opened: its values and how they are judged, and the fields that show them. */
  form: () => Promise<{ form: AnyForm }>;
  fields: () => Promise<{ fields: TypeFields }>;
};

/** Host and port; IPv6 in brackets. Nothing while there is no host: the form asks while it is still empty. */
export function address(host: string, port: number | null): string {
  if (host === '') return '';
  const bracketed = /^[0-9a-f.]*:[0-9a-f:.]*$/i.test(host) ? `[${host}]` : host;
  return port === null ? bracketed : `${bracketed}:${port}`;
}
