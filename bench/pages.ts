// A public status page under a storm of visitors, beside the same bytes from a bare Fastify route, and the effect on checks.
import { setTimeout as sleep } from 'node:timers/promises';
import { startChild } from './child.ts';
import { type Context, count, ms, quantile, type Row, type RunBench, times } from './figure.ts';
import { fillings, fillOpenSpan, fillReported, fillTier, makeRegions } from './filled-year.ts';
import { latenessOf } from './lateness.ts';
import { startOutside } from './outside.ts';
import { firstPaint, shownAfter } from './page-seen.ts';
import { cpuByPart } from './processes.ts';
import { type RequestsOrder, sendRequests } from './requests.ts';
import { type Made, type Subject, startSubject } from './subject.ts';

const VISITORS = 64;
const SIZES = [50, 200] as const;

export const pages: RunBench = async (context) => {
  const { quick } = context;
  const seconds = quick ? 2 : 10;
  const howMany = quick ? 200 : 1_000;
  const outside = await startOutside(context);
  const subject = await startSubject(context, { RATE_LIMITS: 'off' });
  const regions = await makeRegions(subject);
  const monitors = await subject.addMonitors(howMany, (i) => ({
    config: { url: `${outside.url}/${i}` },
    enabled: false,
    interval_seconds: 60,
  }));
  const year = { monitors, regions };
  for (const filling of fillings(91)) await fillTier(context, subject, year, filling);
  await fillReported(context, subject);
  await fillOpenSpan(subject, year);

  const rows: Row[] = [];
  for (const size of SIZES) rows.push(...(await visited(context, subject, monitors.slice(0, size), seconds)));
  rows.push(...(await besideChecks(context, subject, outside, monitors, seconds)));
  return {
    rows,
    notes: [
      `${count(howMany)} monitors with a year of roll-ups, 90 days of them on the page; ${VISITORS} connections of one process that asks as fast as it can.`,
      'Beside it: a bare Fastify route that sends the same compressed bytes from memory, asked by the same client. CPU is that of the server alone.',
      'Lateness is when the watched server had the request in hand, minus the moment that the schedule names.',
    ],
  };
};

async function publish(subject: Subject, monitors: readonly Made[]): Promise<{ id: string; path: string }> {
  const { admin, orgId } = subject;
  const name = `Page of ${monitors.length}`;
  const page = await admin.ok<{ id: string; slug: string }>('POST', `/organizations/${orgId}/status-pages`, {
    name,
  });
  const settings = { name, enabled: true, public_viewable: true, access_mode: 'public' };
  await admin.ok('PATCH', `/status-pages/${page.id}`, settings);
  await admin.ok('PUT', `/status-pages/${page.id}/monitors`, {
    monitors: monitors.map(({ id }, i) => ({ monitor_id: id, group_label: `Group ${Math.floor(i / 10)}` })),
  });
  return { id: page.id, path: `/status/${page.slug}` };
}

async function visited(
  context: Context,
  subject: Subject,
  monitors: readonly Made[],
  seconds: number,
): Promise<Row[]> {
  const page = await publish(subject, monitors);
  const { path } = page;
  const headers = { 'accept-encoding': 'gzip', 'accept-language': 'en' };
  await restart(subject);
  const beganMs = performance.now();
  const first = await fetch(subject.url + path, { headers });
  const html = await first.text();
  const firstMs = performance.now() - beganMs;
  const weight = Number(first.headers.get('content-length'));
  const storm = (requests: RequestsOrder['requests']) =>
    sendRequests(context, { url: subject.url, requests, inFlight: VISITORS, seconds, status: 200 });
  const get = { method: 'GET', path, headers };
  await sendRequests(context, {
    url: subject.url,
    requests: [get],
    inFlight: VISITORS,
    seconds: 1,
    status: 200,
  });
  context.say(`${monitors.length} monitors on a page, for ${seconds} s`);
  const before = cpuByPart(subject.processes());
  const plain = await storm([get]);
  const after = cpuByPart(subject.processes());
  const many = Array.from({ length: 5_000 }, (_, i) => i);
  const queries = await storm(many.map((i) => ({ ...get, path: `${path}?utm=${i}` })));
  const cookies = await storm(many.map((i) => ({ ...get, headers: { ...headers, cookie: `visitor=${i}` } })));
  const heads = await storm([{ ...get, method: 'HEAD' }]);
  const bare = await bareRoute(context, Buffer.from(await gzipped(subject.url + path)), headers, seconds);
  const rate = ({ answered, seconds: took }: { answered: number; seconds: number }) => answered / took;
  const cpu = (after.server - before.server) / plain.answered;
  return [
    {
      figure: `Page with ${monitors.length} monitors: requests a second, p99`,
      tocsin: `${count(rate(plain))}, ${ms(quantile(plain.tookMs, 0.99))}`,
      beside: `${count(rate(bare.done))}, ${ms(quantile(bare.done.tookMs, 0.99))} bare Fastify`,
      ratio: times(rate(plain), rate(bare.done)),
    },
    {
      figure: 'server CPU a request',
      tocsin: `${(cpu * 1e6).toFixed(0)} µs`,
      beside: `${(bare.cpuSeconds * 1e6).toFixed(0)} µs`,
      ratio: times(bare.cpuSeconds, cpu),
    },
    {
      figure: 'with unique query strings; unknown cookies; HEAD: requests a second',
      tocsin: [queries, cookies, heads].map((done) => count(rate(done))).join('; '),
    },
    {
      figure: 'weight compressed (HTML in all); first view after a restart',
      tocsin: `${(weight / 1024).toFixed(1)} KiB (${(html.length / 1024).toFixed(0)} KiB); ${ms(firstMs)}`,
    },
    await firstPaint(context, subject.url + path),
    await shownAfter(context, subject, page),
  ];
}

/** Kills the server, and waits until its supervisor has started another that is ready. */
async function restart({ installation, url }: Subject): Promise<void> {
  const pid = installation.serverPid();
  installation.killServer();
  const isReady = async () => (await fetch(`${url}/readyz`).catch(() => null))?.status === 200;
  while (installation.serverPid() === pid || !(await isReady())) await sleep(20);
}

/** The bytes as they are sent, still compressed. */
async function gzipped(url: string): Promise<Uint8Array> {
  const { request } = await import('node:http');
  return new Promise((resolve, reject) => {
    const asked = request(
      url,
      { headers: { 'accept-encoding': 'gzip', 'accept-language': 'en' } },
      (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('end', () => resolve(Buffer.concat(chunks)));
      },
    );
    asked.on('error', reject).end();
  });
}

async function bareRoute(context: Context, body: Buffer, headers: Record<string, string>, seconds: number) {
  const bare = startChild(context, 'bare-fastify-process.ts');
  const { url } = await bare.next<{ url: string }>('ready');
  const holds = bare.next('holds');
  bare.send({ body: body.toString('base64') });
  await holds;
  const cpuMs = async () => ((await (await fetch(`${url}/cpu`)).json()) as { cpuMs: number }).cpuMs;
  const order = { url, requests: [{ method: 'GET', path: '/', headers }], inFlight: VISITORS, status: 200 };
  await sendRequests(context, { ...order, seconds: 1 });
  const before = await cpuMs();
  const done = await sendRequests(context, { ...order, seconds });
  const cpuSeconds = ((await cpuMs()) - before) / 1000 / done.answered;
  await bare.stop();
  return { done, cpuSeconds };
}

/** The same storm while every monitor is checked once a second. */
async function besideChecks(
  context: Context,
  subject: Subject,
  outside: Awaited<ReturnType<typeof startOutside>>,
  monitors: readonly Made[],
  seconds: number,
): Promise<Row[]> {
  const { path } = await publish(subject, monitors.slice(0, 49));
  await subject.enable(monitors, 1);
  await sleep(3_000);
  const watch = async (storm: boolean) => {
    outside.record();
    const fromMs = Date.now();
    if (storm) {
      const get = { method: 'GET', path, headers: { 'accept-encoding': 'gzip' } };
      await sendRequests(context, {
        url: subject.url,
        requests: [get],
        inFlight: VISITORS,
        seconds,
        status: 200,
      });
    } else await sleep(seconds * 1000);
    const toMs = Date.now();
    const arrivals = (await outside.report()).filter(({ atMs }) => atMs >= fromMs && atMs < toMs);
    return latenessOf(arrivals, monitors, 1);
  };
  context.say(`${monitors.length} checks a second, alone and beside visitors`);
  const [alone, beside] = [await watch(false), await watch(true)];
  return [
    {
      figure: `${count(monitors.length)} checks a second while ${VISITORS} visitors storm: lateness p99`,
      tocsin: ms(quantile(beside, 0.99)),
      beside: `${ms(quantile(alone, 0.99))} without visitors`,
    },
  ];
}
