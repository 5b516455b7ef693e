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
  | 'drl';

/** A new id of a kind; ids of one process sort by the time they were made. */
export function newId(prefix: IdPrefix): string {
  return typeid(prefix).toString();
}

const SUFFIX = /^[0-7][0-9a-hjkmnp-tv-z]{25}$/;

/** Whether a text has the form of an id of this kind; anything else is an unknown resource. */
export function isId(prefix: IdPrefix, text: string): boolean {
  return text.startsWith(`${prefix}_`) && SUFFIX.test(text.slice(prefix.length + 1));
}
