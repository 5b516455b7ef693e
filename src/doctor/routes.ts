// The doctor in the dashboard. Logs of activity are verified on the command line only: that may take minutes.

import { emailAddress } from '../domain/email-address.ts';
import type { OperatorAddresses } from '../notifications/targets/operator-addresses.ts';
import { examineInstallation } from '../operator/doctor-contract.ts';
import { perMinute } from '../platform/http/per-minute.ts';
import { type Call, type Route, raw } from '../platform/http/route.ts';
import type { Mail } from '../platform/mail/mail.ts';
import { refuse } from '../platform/refusals.ts';
import type { Vault } from '../platform/secrets.ts';
import { examineDatabase, examineMachine, type Settings } from './examine.ts';
import { reportOf } from './finding.ts';

export type DoctorOptions = {
  settings: Settings;
  vault: Vault;
  operator: OperatorAddresses;
  mail: Mail | null;
  /** Whether examinations are limited by time. */
  limited: boolean;
};

/** Each examination opens connections to every notification target. */
const PER_MINUTE = 6;

export function doctorRoutes(options: DoctorOptions): Route[] {
  const sentence = `The installation is examined ${PER_MINUTE} times a minute at most; wait for the next time.`;
  const limit = options.limited ? perMinute(PER_MINUTE, sentence) : null;
  return [
    raw(examineInstallation, async (call) => {
      const mailTo = addressIn(call.body?.mail_to ?? null);
      await limit?.count('');
      const { settings, vault, operator, mail } = options;
      const [database, machine] = await Promise.all([
        examineDatabase(call.db, { settings, vault: () => vault, operator, now: call.now }),
        examineMachine(settings, { mail, mailTo, arrival: arrivalOf(call) }),
      ]);
      return reportOf([...database, ...machine]);
    }),
  ];
}

function addressIn(given: string | null): string | null {
  if (given === null) return null;
  return (
    emailAddress(given) ?? refuse('invalid_request', 'mail_to is not a mail address.', { field: 'mail_to' })
  );
}

function arrivalOf({ request: { headers } }: Call<typeof examineInstallation>) {
  const one = (value: string | string[] | undefined) => (Array.isArray(value) ? value.join(', ') : value);
  return {
    host: headers.host,
    forwardedFor: one(headers['x-forwarded-for']),
    forwardedHost: one(headers['x-forwarded-host']),
  };
}
