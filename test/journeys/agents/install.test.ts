// The pasted command on a real machine, up to the service manager, which only notes what it is asked (docs/agents.md#installing).
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Agent } from '#src/agents/contract.ts';
import type { BuiltFile } from '#src/platform/built-files.ts';
import { endBundling } from '#src/supervise/single-file.ts';
import { realClock, startTestApp } from '#test/harness/app.ts';
import { buildAgent } from '#test/harness/built-agent.ts';
import { closedPort } from '#test/harness/listeners.ts';
import { noMachine, onMachine } from '#test/harness/machine-of-its-own.ts';

const skip = noMachine();
let built: BuiltFile;
before(async () => {
  if (skip === undefined) built = await buildAgent('0.4.0');
  await endBundling();
});

/** A server that knows the address that it is reached at, as the script names it. */
async function server() {
  const port = await closedPort();
  const env = { PORT: String(port), BASE_URL: `http://127.0.0.1:${port}` };
  return startTestApp({ clock: realClock, env, version: '0.4.0', builtFiles: { 'tocsin-agent.mjs': built } });
}

const INSTALLED = '/usr/local/lib/tocsin-agent/tocsin-agent.mjs';
/** As the unit starts it, as the unit's user, with one heartbeat. */
const START_ONCE = `words=$(sed -n 's/^ExecStart=//p' /etc/systemd/system/tocsin-agent.service)
(cd / && setpriv --reuid tocsin-agent --regid tocsin-agent --clear-groups env -i $words --once)`;

test('the command installs, enrols and starts; a second run keeps the enrolment; uninstalling leaves nothing', {
  skip,
}, async (t) => {
  await using app = await server();
  const agents = `/organizations/${app.home.orgId}/agents`;
  type Made = { token: string; command: string };
  const { token, command } = await app.alice.ok<Made>('POST', `${agents}/enrollment-tokens`, {});
  const { code, output, asked } = await onMachine(
    t,
    `${command.replace('sudo ', '')} --labels env=test --name box-1
echo "== installed"
stat -c '%a %U %n' ${INSTALLED} /var/lib/tocsin-agent /var/lib/tocsin-agent/agent.json /etc/systemd/system/tocsin-agent.service
! grep -rl "${token}" /etc/systemd /usr/local/lib /var/lib || exit 9
${START_ONCE}
echo "== again"
node ${INSTALLED} install
${START_ONCE}
echo "== removing"
if node ${INSTALLED} uninstall; then exit 8; fi
stat -c 'still there %n' ${INSTALLED}
node ${INSTALLED} uninstall --yes
ls -d /usr/local/lib/tocsin-agent /var/lib/tocsin-agent /etc/systemd/system/tocsin-agent.service 2> /dev/null || echo "no files"
id tocsin-agent 2> /dev/null || echo "no user"`,
    {},
  );
  assert.equal(code, 0, output);
  const [, installed = '', again = '', removing = ''] = output.split(/^== .*\n/m);
  assert.match(installed, new RegExp(`^644 root ${INSTALLED}$`, 'm'));
  assert.match(installed, /^700 tocsin-agent \/var\/lib\/tocsin-agent$/m);
  assert.match(installed, /^600 tocsin-agent \/var\/lib\/tocsin-agent\/agent\.json$/m);
  assert.match(again, /^This machine is enrolled at http:\/\/127\.0\.0\.1:\d+ as agt_/m);
  assert.match(removing, /nothing was, since --yes is missing/);
  assert.match(removing, /^still there/m);
  assert.match(removing, /no files\nno user\n$/);
  const started = ['daemon-reload', 'enable tocsin-agent.service', 'restart tocsin-agent.service'];
  assert.deepEqual(asked, [
    ...[...started, ...started],
    ...['disable --now tocsin-agent.service', 'daemon-reload', 'reset-failed tocsin-agent.service'],
  ]);
  const found = await app.alice.ok<Agent[]>('GET', agents);
  assert.deepEqual(
    found.map(({ hostname, labels, online, agent_version }) => ({ hostname, labels, online, agent_version })),
    [{ hostname: 'box-1', labels: 'env=test', online: true, agent_version: '0.4.0' }],
  );
});

test('without a valid token no service is installed; with a new one a removed host comes back', {
  skip,
}, async (t) => {
  await using app = await server();
  const agents = `/organizations/${app.home.orgId}/agents`;
  const newToken = async () =>
    (await app.alice.ok<{ token: string }>('POST', `${agents}/enrollment-tokens`, {})).token;
  const install = `curl -fsSL ${app.url}/download/install-agent.sh | sh -s --`;
  const refused = await onMachine(t, `${install} --token tce_${'x'.repeat(43)}`, {});
  assert.equal(refused.code, 1, refused.output);
  assert.match(refused.output, /does not accept this enrolment token/);
  assert.match(refused.output, /the service was not installed/);
  assert.deepEqual(refused.asked, []);
  const without = await onMachine(t, install, {});
  assert.equal(without.code, 1, without.output);
  assert.match(without.output, /not enrolled yet: give --token/);

  const [first, second] = [await newToken(), await newToken()];
  const again = await onMachine(
    t,
    `${install} --token ${first}
echo '{"url":"${app.url}","agent_id":"agt_gone","credential":"tca_${'x'.repeat(43)}"}' > /var/lib/tocsin-agent/agent.json
${install} || echo "== refused"
TOCSIN_TOKEN=${second}
export TOCSIN_TOKEN
${install}
${START_ONCE}`,
    {},
  );
  assert.equal(again.code, 0, again.output);
  assert.match(again.output, /no longer knows this agent: give a new --token[\s\S]*== refused/);
  assert.equal((await app.alice.ok<Agent[]>('GET', agents)).filter(({ online }) => online).length, 1);
});
