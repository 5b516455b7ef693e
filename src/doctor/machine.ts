// The doctor's checks outside the database: disk space, DNS, the mail server, our own port.
import { statfs } from 'node:fs/promises';
import { isIP } from 'node:net';
import { type Mail, MailFailure } from '../platform/mail/mail.ts';
import { OutboundFailure } from '../platform/outbound/failures.ts';
import { request } from '../platform/outbound/request.ts';
import { createResolver } from '../platform/outbound/resolve.ts';
import type { Finding } from './finding.ts';

const GIB = 1024 ** 3;

/** Free space on the disk of DATA_DIR. */
export async function lookAtDisk(dataDir: string): Promise<Finding> {
  const subject = 'disk';
  try {
    const { bavail, blocks, bsize } = await statfs(dataDir);
    const [free, share] = [bavail * bsize, bavail / Math.max(blocks, 1)];
    const said = `${(free / GIB).toFixed(1)} GiB (${Math.round(share * 100)} %) free at ${dataDir}`;
    if (free < GIB / 2 || share < 0.02)
      return {
        state: 'fail',
        subject,
        said,
        todo: 'Make room now: a database without room stops taking results.',
      };
    if (free < 2 * GIB || share < 0.15)
      return { state: 'warn', subject, said, todo: 'Make room, or keep less: see docs/self-hosting.md.' };
    return { state: 'ok', subject, said };
  } catch (error) {
    const said = `${dataDir} cannot be looked at (${(error as NodeJS.ErrnoException).code})`;
    return { state: 'fail', subject, said, todo: 'Set DATA_DIR to a folder that this user may read.' };
  }
}

/** Whether the host of BASE_URL resolves. */
export async function lookAtNames(baseUrl: string): Promise<Finding> {
  const subject = 'dns';
  const host = new URL(baseUrl).hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0 || host === 'localhost')
    return { state: 'ok', subject, said: `BASE_URL has no name to look up (${host})` };
  const resolver = createResolver();
  try {
    const addresses = await resolver(host, 'auto');
    const said = `${host} is ${addresses.map(({ address }) => address).join(', ')}`;
    return { state: 'ok', subject, said };
  } catch (error) {
    const why = error instanceof OutboundFailure ? error.message : String(error);
    const todo =
      'Links in mails lead to BASE_URL: give the name an address, or set BASE_URL to the right one.';
    return {
      state: 'warn',
      subject,
      said: `${host}, the host of BASE_URL, has no address here: ${why}`,
      todo,
    };
  } finally {
    resolver.cancel();
  }
}

/** Whether the mail server accepts us: connects, and signs in if SMTP_URL has a user. Sends nothing. */
export async function lookAtMail(mail: Mail | null): Promise<Finding> {
  const subject = 'mail';
  if (!mail)
    return {
      state: 'warn',
      subject,
      said: 'no mail can be sent: SMTP_URL is not set',
      todo: 'Set SMTP_URL and MAIL_FROM: without them nobody is alarmed by mail, and passwords are reset by the operator only.',
    };
  try {
    await mail.verify();
    return { state: 'ok', subject, said: 'the mail server of SMTP_URL takes us' };
  } catch (error) {
    if (!(error instanceof MailFailure)) throw error;
    return {
      state: 'fail',
      subject,
      said: error.message,
      todo: 'Check SMTP_URL, and that the server may be reached.',
    };
  }
}

/** Whether a Tocsin server answers at the port. */
export async function lookAtPort(host: string, port: number): Promise<Finding> {
  const subject = 'port';
  const named = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  const address = `${named.includes(':') ? `[${named}]` : named}:${port}`;
  if (port === 0) return { state: 'ok', subject, said: 'any free one (PORT=0)' };
  try {
    const reply = await request({
      url: `http://${address}/readyz`,
      method: 'GET',
      headers: {},
      policy: { allowPrivate: true },
      timeoutMs: 5_000,
    });
    if (reply.status === 200) return { state: 'ok', subject, said: `a ready server answers at ${address}` };
    if (reply.status === 503)
      return {
        state: 'fail',
        subject,
        said: `the server at ${address} is not ready: ${reply.bodyText.slice(0, 200)}`,
        todo: 'Its log says why.',
      };
    return {
      state: 'fail',
      subject,
      said: `something other than Tocsin answers at ${address} (HTTP ${reply.status})`,
      todo: 'Stop it, or set PORT to another one.',
    };
  } catch (error) {
    if (!(error instanceof OutboundFailure)) throw error;
    if (error.layer === 'target_http')
      return {
        state: 'fail',
        subject,
        said: `something answers at ${address}, and not as Tocsin does: ${error.message}`,
        todo: 'Stop it, or set PORT to another one; a Tocsin server that hangs is restarted by its supervisor.',
      };
    return {
      state: 'warn',
      subject,
      said: `no server answers at ${address}: ${error.message}`,
      todo: 'Start it: tocsin serve. Where it runs on another machine, ask there.',
    };
  }
}
