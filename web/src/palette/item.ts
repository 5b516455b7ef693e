import type { ReactNode } from 'react';
import type { StepName } from './steps.ts';

/** In the order of the list. */
export const GROUPS = ['subject', 'pages', 'monitors', 'incidents', 'others', 'actions'] as const;
export type Group = (typeof GROUPS)[number];

/** A line of the palette. */
export type Line = {
  /** Unique among all lines. */
  key: string;
  group: Group;
  label: string;
  /** A note beside it: its kind, or since when. */
  detail?: string;
  /** Further words that find it. */
  words?: readonly string[];
  icon: ReactNode;
  /** The shortcut that does the same. */
  keys?: readonly string[];
};

/** A line does something, or asks what to do it to. */
export type Item = Line & ({ run: () => unknown; step?: never } | { step: StepName; run?: never });
