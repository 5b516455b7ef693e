import type { UseFormReturnType } from '@mantine/form';
import type { ExpiryChoice } from './expiry.ts';
import { everyLevel, type Levels } from './scopes.ts';

/** The form values of a key. */
export type KeyValues = {
  name: string;
  levels: Levels;
  reach: 'whole' | 'chosen';
  projects: string[];
  monitors: string[];
  expiry: ExpiryChoice;
  /** YYYY-MM-DD, for `expiry: 'date'`. */
  date: string;
};
export type KeyFormState = UseFormReturnType<KeyValues>;

export const NEW_KEY: KeyValues = {
  name: '',
  levels: everyLevel('none'),
  reach: 'whole',
  projects: [],
  monitors: [],
  expiry: '90',
  date: '',
};
