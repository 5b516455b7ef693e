import type { Check } from '#probe/check-outcome.ts';
import { MAIL_PORTS, type MailConfig } from '#src/monitors/types/mail/config.ts';
import { OutboundFailure } from '#src/platform/outbound/failures.ts';
import { invalidAnswer } from '../answer-failures.ts';
import { dialogue } from '../dialogue.ts';
import { plainHost } from '../host.ts';
import { reach, secured } from '../reach.ts';
import { runCheck } from '../run-check.ts';
import { imap } from './imap.ts';
import { pop3 } from './pop3.ts';
import { smtp } from './smtp.ts';

const PROTOCOLS = { smtp, imap, pop3 };

/**
 * Checks a mail server (docs/rules/monitor-types.md#mail): its greeting, TLS, and the sign-in if the config has credentials.
 * Sends credentials over a plain connection only if `security` is none; a TLS connection must have a valid certificate.
 */
export const mail: Check<MailConfig> = (config, context) =>
  runCheck(config, context, 'target_app', async (running) => {
    const { protocol, security, auth } = config;
    const host = plainHost(config.host);
    const where = { host, port: config.port ?? MAIL_PORTS[protocol][security], ip_family: config.ip_family };
    const tls = { verify: true };
    const { socket } = await reach(running, where, security === 'tls' ? tls : undefined);
    const talk = dialogue(socket, host, running);
    const session = PROTOCOLS[protocol](talk, host, (code) => {
      running.measured.responseCode = code;
    });
    const greeting = await session.greet();
    running.judge('Greeting', { expected: 'a welcome', actual: greeting });
    if (security === 'starttls') {
      await session.askForTls();
      talk.release();
      talk.resume(await secured(running, socket, host, tls));
      await session.secured();
    }
    if (auth !== null) {
      await session.signIn(auth.username, auth.password).catch((error: unknown) => {
        throw unquoted(error, host);
      });
      running.judge('Sign-in', { expected: 'accepted', actual: 'accepted' });
    }
    running.measured.latencyMs = performance.now() - running.startedAtMs;
    await session.leave();
  });

/** An unexpected line after a sign-in may echo the credentials, so it is not shown. */
function unquoted(error: unknown, host: string): unknown {
  const isQuoted = error instanceof OutboundFailure && error.failureClass === 'invalid_answer';
  return isQuoted ? invalidAnswer(`${host} did not answer the sign-in as its protocol demands`) : error;
}
