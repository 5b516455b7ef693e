// Opaque ids: a kind prefix, `_`, and a UUIDv7 in 26 characters of Crockford base32
// (docs/rules/errors-and-conventions.md#ids).
import { typeid } from 'typeid-js';

export type IdPrefix =
  | 'org'
  | 'prj'
  | 'mon'
  | 'inc'
  | 'nte'
  | 'mwn'
  | 'mws'
  | 'viw'
  | 'stp'
  | 'spd'
  | 'spv'
  | 'sub'
  | 'wht'
  | 'evt'
  | 'dlv'
  | 'agt'
  | 'inv'
  | 'usr'
  | 'key'
  | 'alp'
  | 'act'
  | 'ses'
  | 'acc'
  | 'ver'
  | 'tfa'
  | 'psk'
  | 'ptk'
  | 'tst'
  | 'psb'
  | 'ovr'
  | 'drl'
  | 'exo'
  | 'aet'
  | 'wll'
  | 'rps';

/** A new id of a kind; ids of one process sort by their creation time. */
export function newId(prefix: IdPrefix): string {
  return typeid(prefix).toString();
}

const SUFFIX = /^[0-7][0-9a-hjkmnp-tv-z]{25}$/;

/** Whether a text has the form of an id of this kind; anything else is an unknown resource. */
export function isId(prefix: IdPrefix, text: string): boolean {
  return text.startsWith(`${prefix}_`) && SUFFIX.test(text.slice(prefix.length + 1));
}

const DIGITS = '0123456789abcdefghjkmnpqrstvwxyz';

/** The creation time of an id: a UUIDv7 begins with its milliseconds, 48 bits after two that are always 0. */
export function timeOfId(id: string): Date {
  const digits = id.slice(id.indexOf('_') + 1).slice(0, 10);
  return new Date([...digits].reduce((ms, digit) => ms * 32 + DIGITS.indexOf(digit), 0));
}
