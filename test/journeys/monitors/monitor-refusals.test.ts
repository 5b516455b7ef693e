// Every refusal of a monitor write (docs/rules/errors-and-conventions.md#monitor-write-refusals), on create and on update.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Monitor } from '#src/monitors/contract.ts';
import { type Place, startAppOfFile, type TestApp } from '#test/harness/app.ts';
import { assertRefused, type Expected } from '#test/harness/refused.ts';

let app: TestApp;
let place: Place;
let monitor: Monitor;
before(async () => {
  app = await startAppOfFile({ env: { ALLOW_SINGLE_LABEL_HOSTS: 'off' } });
  await app.region('frankfurt', { allowPrivate: false });
  await app.region('lab', { internal: true });
  place = await app.place();
  monitor = await app.alice.ok('POST', `/projects/${place.projectId}/monitors`, named({}));
});

let made = 0;
const URL_OF = 'https://shop.example.com/health';
function named(fields: Record<string, unknown>): Record<string, unknown> {
  made += 1;
  return { name: `Monitor ${made}`, type: 'http', config: { url: URL_OF }, ...fields };
}
const withConfig = (fields: Record<string, unknown>) => ({ config: { url: URL_OF, ...fields } });

/** Refused alike on create and on update. */
function refusedOnBoth(name: string, body: Record<string, unknown>, expected: Expected): void {
  test(name, async () => {
    const created = await app.alice.send('POST', `/projects/${place.projectId}/monitors`, named(body));
    assertRefused(created, expected, 'create:');
    const updated = await app.alice.send('PATCH', `/monitors/${monitor.id}`, body);
    assertRefused(updated, expected, 'update:');
    assert.deepEqual(await app.alice.ok('GET', `/monitors/${monitor.id}`), monitor);
  });
}
const invalid = (field: string): Expected => ({ status: 400, error: 'invalid_request', field });

for (const name of ['', '   ', '\t\n'])
  refusedOnBoth(
    `the name ${JSON.stringify(name)} is empty`,
    { name },
    { status: 400, error: 'empty_name', field: 'name' },
  );
refusedOnBoth(
  'a type that nobody knows is refused',
  { type: 'gopher' },
  { status: 400, error: 'unknown_type', field: 'type' },
);
refusedOnBoth(
  'a region that nobody knows is refused',
  { regions: ['local', 'atlantis'] },
  { status: 400, error: 'unknown_region', field: 'regions' },
);
refusedOnBoth(
  'an internal region is refused',
  { regions: ['lab'] },
  { status: 400, error: 'internal_region', field: 'regions' },
);
refusedOnBoth('no region at all is refused', { regions: [] }, invalid('regions'));
refusedOnBoth('a region named twice is refused', { regions: ['local', 'local'] }, invalid('regions'));

const targets: Record<string, [url: unknown, reason: string | undefined][]> = {
  missing: [
    ['', 'missing'],
    ['   ', 'missing'],
  ],
  whitespace: [
    ['https://shop.example.com/a b', 'whitespace'],
    [' https://shop.example.com', 'whitespace'],
    ['https://shop.example.com/\n', 'whitespace'],
  ],
  scheme_in_host: [['https://http://shop.example.com', 'scheme_in_host']],
  malformed_label: [
    ['https://-shop.example.com', 'malformed_label'],
    ['https://shop..example.com', 'malformed_label'],
    ['https://[::g]/', 'malformed_label'],
  ],
  too_long: [
    [`https://shop.example.com/${'a'.repeat(2048)}`, 'too_long'],
    [`https://${'a'.repeat(64)}.example.com`, 'too_long'],
  ],
  unsupported_scheme: [
    ['ftp://shop.example.com', 'unsupported_scheme'],
    ['shop.example.com', 'unsupported_scheme'],
    ['javascript:alert(1)', 'unsupported_scheme'],
  ],
  no_host: [
    ['https://', 'no_host'],
    ['https:///path', 'no_host'],
    ['https://:443/', 'no_host'],
  ],
  needs_two_labels: [
    ['http://localhost/', 'needs_two_labels'],
    ['http://db:8080/', 'needs_two_labels'],
  ],
  port_range: [
    ['http://shop.example.com:0/', 'port_range'],
    ['http://shop.example.com:65536/', 'port_range'],
    ['http://shop.example.com:99999999999/', 'port_range'],
  ],
};
for (const [group, entries] of Object.entries(targets))
  for (const [url, reason] of entries)
    refusedOnBoth(
      `config.url ${JSON.stringify(url).slice(0, 60)} is ${group}`,
      { config: { url } },
      {
        status: 400,
        error: 'invalid_target',
        field: 'config.url',
        ...(reason ? { reason } : {}),
      },
    );

test('creating without url is refused; an update without it keeps the current one', async () => {
  const expected = { status: 400, error: 'invalid_target', field: 'config.url', reason: 'missing' };
  assertRefused(
    await app.alice.send('POST', `/projects/${place.projectId}/monitors`, named({ config: {} })),
    expected,
  );
  assert.deepEqual(await app.alice.ok('PATCH', `/monitors/${monitor.id}`, { config: {} }), monitor);
});

test('the TLS server name must be a valid host, refused with the reasons for hosts', async () => {
  for (const [server_name, reason] of [
    ['a/b', 'path_in_host'],
    ['https://example.com', 'scheme_in_host'],
    ['a b.example.com', 'whitespace'],
    ['single', 'needs_two_labels'],
  ] as const) {
    const answer = await app.alice.send('PATCH', `/monitors/${monitor.id}`, {
      config: { tls: { server_name } },
    });
    assertRefused(answer, { status: 400, error: 'invalid_target', field: 'config.tls.server_name', reason });
  }
});

for (const url of [
  'http://127.0.0.1/',
  'http://10.1.2.3/',
  'http://[::1]/',
  'http://0x7f.1/',
  'http://2130706433/',
  'http://[::ffff:10.0.0.1]/',
])
  test(`the private address ${url} is refused without a reason if the region must not reach it`, async () => {
    const body = named({ config: { url }, regions: ['frankfurt'] });
    const answer = await app.alice.send('POST', `/projects/${place.projectId}/monitors`, body);
    assertRefused(answer, { status: 400, error: 'invalid_target', field: 'config.url' });
    await app.alice.ok('POST', `/projects/${place.projectId}/monitors`, { ...body, regions: ['local'] });
  });
for (const url of ['http://169.254.169.254/latest/meta-data', 'http://[fe80::1]/', 'http://0xA9FEA9FE/'])
  refusedOnBoth(
    `the address ${url} is refused everywhere`,
    { config: { url } },
    { status: 400, error: 'invalid_target', field: 'config.url' },
  );
test('moving a monitor on a private address to a region that must not reach it is refused', async () => {
  const body = named({ config: { url: 'http://127.0.0.1/' } });
  const own = await app.alice.ok<Monitor>('POST', `/projects/${place.projectId}/monitors`, body);
  const answer = await app.alice.send('PATCH', `/monitors/${own.id}`, { regions: ['frankfurt'] });
  assertRefused(answer, { status: 400, error: 'invalid_target', field: 'config.url' });
});

const patterns = (count: number, value: string) =>
  Array.from({ length: count }, () => ({ name: 'X-Text', op: 'matches', value }));
const wrong: [body: Record<string, unknown>, field: string][] = [
  [{ nmae: 'x' }, 'nmae'],
  [{ name: 7 }, 'name'],
  [{ name: 'x'.repeat(201) }, 'name'],
  [{ type: ['http'] }, 'type'],
  [{ config: 'https://example.com' }, 'config'],
  [{ config: [] }, 'config'],
  [{ enabled: 'yes' }, 'enabled'],
  [{ interval_seconds: '60' }, 'interval_seconds'],
  [{ interval_seconds: 1.5 }, 'interval_seconds'],
  [{ interval_seconds: -1 }, 'interval_seconds'],
  [{ regions: 'local' }, 'regions'],
  [{ regions: [1] }, 'regions.0'],
  [{ policy: { alarm_consecutiv: 2 } }, 'policy.alarm_consecutiv'],
  [{ policy: { alarm_consecutive: 'two' } }, 'policy.alarm_consecutive'],
  [{ policy: { alarm_consecutive: 0 } }, 'policy.alarm_consecutive'],
  [{ policy: { recovery_consecutive: 101 } }, 'policy.recovery_consecutive'],
  [{ policy: { alarm_quorum_mode: 'most' } }, 'policy.alarm_quorum_mode'],
  [{ policy: { alarm_quorum_mode: 'count' } }, 'policy.alarm_quorum_value'],
  [{ policy: { alarm_quorum_mode: 'count', alarm_quorum_value: 2 } }, 'policy.alarm_quorum_value'],
  [
    { policy: { recovery_quorum_mode: 'percent', recovery_quorum_value: 101 } },
    'policy.recovery_quorum_value',
  ],
  [{ policy: { alert_profile_id: 'alp_01h455vb4pex5vsknk084sn02q' } }, 'policy.alert_profile_id'],
  [{ alarm_gate: { grace_seconds: 60, origin: 'reboot' } }, 'alarm_gate.origin'],
  [{ alarm_gate: { origins: ['earthquake'] } }, 'alarm_gate.origins'],
  [{ alarm_gate: { origins: ['reboot', 'reboot'] } }, 'alarm_gate.origins'],
  [{ alarm_gate: { grace_seconds: 86_401 } }, 'alarm_gate.grace_seconds'],
  [withConfig({ colour: 'red' }), 'config.colour'],
  [withConfig({ method: 'BREW' }), 'config.method'],
  [withConfig({ headers: ['a'] }), 'config.headers'],
  [withConfig({ timeout_ms: 99 }), 'config.timeout_ms'],
  [withConfig({ max_redirects: 11 }), 'config.max_redirects'],
  [withConfig({ expected_status: [] }), 'config.expected_status'],
  [withConfig({ expected_status: ['2xx'] }), 'config.expected_status.0'],
  [withConfig({ expected_status: ['299-200'] }), 'config.expected_status.0'],
  [withConfig({ degraded_after_ms: 10_000 }), 'config.degraded_after_ms'],
  [withConfig({ auth: { kind: 'digest' } }), 'config.auth.kind'],
  [withConfig({ keyword: { mode: 'contains' } }), 'config.keyword.text'],
  [withConfig({ keyword: { text: '(', mode: 'regex' } }), 'config.keyword.text'],
  [withConfig({ keyword: { text: '(a)\\1', mode: 'regex' } }), 'config.keyword.text'],
  [withConfig({ keyword: { text: '(?i)(?:\\pL?){900}[!n]', mode: 'regex' } }), 'config.keyword.text'],
  [
    withConfig({ header_assertions: patterns(9, `[${'a'.repeat(500)}]`) }),
    'config.header_assertions.8.value',
  ],
  [withConfig({ header_assertions: patterns(6, '(?:ab?){300}') }), 'config.header_assertions.4.value'],
  [
    withConfig({ json_assertions: [{ path: '$.a', op: 'matches', value: '.{0,600}x' }] }),
    'config.json_assertions.0.value',
  ],
  [
    withConfig({ json_assertions: [{ path: '$.a', op: 'contains', value: 'b'.repeat(4_096) }] }),
    'config.json_assertions.0.value',
  ],
  [withConfig({ json_assertions: [{ path: '$.a', op: 'eq' }] }), 'config.json_assertions.0.value'],
  [
    withConfig({ json_assertions: [{ path: '$.a', op: 'gt', value: '1' }] }),
    'config.json_assertions.0.value',
  ],
  [withConfig({ header_assertions: [{ name: 'a b', op: 'exists' }] }), 'config.header_assertions.0.name'],
  [withConfig({ tls: { verify: 'no' } }), 'config.tls.verify'],
  [withConfig({ tls: { ca_pem: 'no pem' } }), 'config.tls.ca_pem'],
  [withConfig({ ip_family: 4 }), 'config.ip_family'],
  [withConfig({ max_body_bytes: 4_194_305 }), 'config.max_body_bytes'],
];
for (const [body, field] of wrong)
  refusedOnBoth(`${JSON.stringify(body).slice(0, 90)} names ${field}`, body, invalid(field));

const badHeaders: Record<string, string> = {
  'X-Evil': 'a\r\nX-Injected: 1',
  'X-Line': 'a\nb',
  'bad name': 'x',
  'X-Wide': 'ключ',
  Host: 'elsewhere.example.com',
  Connection: 'close',
  'Transfer-Encoding': 'chunked',
  'content-length': '5',
  TE: 'trailers',
  Upgrade: 'h2c',
  'Keep-Alive': 'x',
  'Proxy-Connection': 'x',
  Trailer: 'x',
};
for (const [name, value] of Object.entries(badHeaders))
  refusedOnBoth(
    `the header ${JSON.stringify(name)}: ${JSON.stringify(value)} is refused`,
    withConfig({ headers: { [name]: value } }),
    invalid(`config.headers.${name}`),
  );
refusedOnBoth(
  'a header given twice in two spellings is refused',
  withConfig({ headers: { Accept: 'a', accept: 'b' } }),
  invalid('config.headers.accept'),
);
refusedOnBoth(
  'more than fifty headers are refused',
  withConfig({ headers: Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`X-${i}`, '1'])) }),
  invalid('config.headers'),
);

test('creating requires name, type and config, and refuses null for them', async () => {
  for (const field of ['name', 'type', 'config']) {
    const { [field]: _, ...without } = named({});
    const path = `/projects/${place.projectId}/monitors`;
    assertRefused(await app.alice.send('POST', path, without), invalid(field));
    assertRefused(await app.alice.send('POST', path, { ...without, [field]: null }), invalid(field));
  }
});

test('creating refuses read-only fields', async () => {
  for (const field of ['id', 'slug', 'last_status']) {
    const answer = await app.alice.send(
      'POST',
      `/projects/${place.projectId}/monitors`,
      named({ [field]: 'x' }),
    );
    assertRefused(answer, invalid(field));
  }
});

test('a name must be unique only within its project', async () => {
  const duplicate = { status: 400, error: 'name_taken', field: 'name' };
  const again = { ...named({}), name: monitor.name };
  assertRefused(await app.alice.send('POST', `/projects/${place.projectId}/monitors`, again), duplicate);
  const other = await app.alice.ok<Monitor>('POST', `/projects/${place.projectId}/monitors`, named({}));
  assertRefused(
    await app.alice.send('PATCH', `/monitors/${other.id}`, { name: ` ${monitor.name} ` }),
    duplicate,
  );
  const elsewhere = await app.place();
  await app.alice.ok('POST', `/projects/${elsewhere.projectId}/monitors`, again);
});

test('an explicit timeout must be shorter than the interval, whichever of them changes', async () => {
  const path = `/projects/${place.projectId}/monitors`;
  const refused = invalid('config.timeout_ms');
  assertRefused(
    await app.alice.send('POST', path, named({ interval_seconds: 5, ...withConfig({ timeout_ms: 5000 }) })),
    refused,
  );
  const fine = await app.alice.ok<Monitor>(
    'POST',
    path,
    named({ interval_seconds: 5, ...withConfig({ timeout_ms: 4999 }) }),
  );
  assertRefused(await app.alice.send('PATCH', `/monitors/${fine.id}`, { interval_seconds: 4 }), refused);
  assertRefused(
    await app.alice.send('PATCH', `/monitors/${fine.id}`, { config: { timeout_ms: 5001 } }),
    refused,
  );
});

test('the mask of a missing secret is refused', async () => {
  const body = withConfig({ auth: { kind: 'bearer', token: '••••' } });
  const path = `/projects/${place.projectId}/monitors`;
  assertRefused(await app.alice.send('POST', path, named(body)), invalid('config.auth.token'));
  assertRefused(await app.alice.send('PATCH', `/monitors/${monitor.id}`, body), invalid('config.auth.token'));
});

test('the plan limits the number of monitors, and excess ones keep working after a downgrade', async () => {
  const free = await app.place(app.alice, 'free');
  const path = `/projects/${free.projectId}/monitors`;
  const made: Monitor[] = [];
  for (let i = 0; i < 10; i++) made.push(await app.alice.ok('POST', path, named({})));
  assertRefused(await app.alice.send('POST', path, named({})), {
    status: 400,
    error: 'quota_reached',
    limit: 10,
  });
  await app.alice.ok('PATCH', `/monitors/${made[0]?.id}`, { name: 'Still mine' });
  await app.alice.ok('DELETE', `/monitors/${made[1]?.id}`);
  await app.alice.ok('POST', path, named({}));
});

test('of two creations for the plan’s last monitor, one is refused', async () => {
  const free = await app.place(app.alice, 'free');
  const path = `/projects/${free.projectId}/monitors`;
  for (let i = 0; i < 9; i++) await app.alice.ok('POST', path, named({}));
  const answers = await Promise.all(Array.from({ length: 4 }, () => app.alice.send('POST', path, named({}))));
  assert.deepEqual(answers.map((answer) => answer.status).sort(), [201, 400, 400, 400]);
});

test('the plan limits the regions: 402 with the limit; after a downgrade an excess cannot grow', async () => {
  const slugs = ['r-one', 'r-two', 'r-three', 'r-four', 'r-five'];
  for (const slug of slugs) await app.region(slug);
  const refused = { status: 402, error: 'too_many_regions', field: 'regions', limit: 3 };
  const free = await app.place();
  const path = `/projects/${free.projectId}/monitors`;
  const wide = await app.alice.ok<Monitor>('POST', path, named({ regions: slugs.slice(0, 4) }));
  await app.db.updateTable('organizations').set({ plan: 'free' }).where('id', '=', free.orgId).execute();
  assertRefused(await app.alice.send('POST', path, named({ regions: slugs.slice(0, 4) })), refused);
  assertRefused(await app.alice.send('PATCH', `/monitors/${wide.id}`, { regions: slugs }), refused);
  await app.alice.ok('PATCH', `/monitors/${wide.id}`, { name: 'Renamed all the same' });
  await app.alice.ok('PATCH', `/monitors/${wide.id}`, { regions: slugs.slice(0, 3) });
});

test('the plan limits the interval; after a downgrade a shorter one stays until it is changed', async () => {
  const free = await app.place();
  const path = `/projects/${free.projectId}/monitors`;
  const fast = await app.alice.ok<Monitor>('POST', path, named({ interval_seconds: 5 }));
  await app.db.updateTable('organizations').set({ plan: 'free' }).where('id', '=', free.orgId).execute();
  const refused = invalid('interval_seconds');
  assertRefused(await app.alice.send('POST', path, named({ interval_seconds: 59 })), refused);
  assertRefused(await app.alice.send('PATCH', `/monitors/${fast.id}`, { interval_seconds: 4 }), refused);
  await app.alice.ok('PATCH', `/monitors/${fast.id}`, { ...fast, name: 'Renamed all the same' });
  assertRefused(await app.alice.send('POST', path, named({ interval_seconds: 86_401 })), refused);
});
