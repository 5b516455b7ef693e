// Refuses a new password that every attacker tries first (docs/rules/access.md#passwords; NIST SP 800-63B).
import { refuse } from '../platform/refusals.ts';

const MIN_LENGTH = 8;
const LIST_SIZE = 3000;

let common: Promise<ReadonlySet<string>> | null = null;

/** Refuses one of the 3,000 most common passwords of at least 8 characters, in any case, with `invalid_request`. */
export async function refuseCommonPassword(password: unknown, field = 'password'): Promise<void> {
  if (typeof password !== 'string') return;
  common ??= readList();
  if ((await common).has(password.toLowerCase()))
    refuse('invalid_request', `${field} is one of the most common passwords; choose another one.`, {
      field,
      reason: 'common_password',
    });
}

/** Read when somebody first chooses a password; most runs of a server never need it. The most common come first. */
async function readList(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  const long = dictionary['passwords-common'].filter((each) => each.length >= MIN_LENGTH);
  return new Set(long.slice(0, LIST_SIZE).map((each) => String(each).toLowerCase()));
}
