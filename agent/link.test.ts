// The agent's handling of answers (docs/rules/agents.md#buffering).
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { agentServer, type GivenAnswer } from '#test/harness/agent-server.ts';
import { openLink } from './link.ts';

async function linked(t: TestContext) {
  const server = await agentServer(t);
  const said: string[] = [];
  const log = (_: string, message: string) => void said.push(message);
  const link = openLink({ url: server.url, log, steadyNowMs: () => 0 });
  t.after(() => link.close());
  return { server, link, said };
}

const TOCSIN = { error: 'some_code', message: 'A reason\nof two lines.' };

test('only an answer in Tocsin’s error shape counts as a refusal, or as an unknown agent', async (t) => {
  const { server, link, said } = await linked(t);
  const cases: [answer: GivenAnswer, kind: string][] = [
    [{ status: 401, body: TOCSIN }, 'unknown'],
    [{ status: 400, body: TOCSIN }, 'refused'],
    [{ status: 403, body: TOCSIN }, 'refused'],
    [{ status: 413, body: TOCSIN }, 'refused'],
    [{ status: 429, body: TOCSIN }, 'later'],
    [{ status: 503, body: TOCSIN }, 'later'],
    [{ status: 404, body: TOCSIN }, 'later'],
    ...[400, 401, 403, 407, 413].flatMap((status): [GivenAnswer, string][] => [
      [{ status, body: '<html>Forbidden</html>' }, 'later'],
      [{ status, body: '' }, 'later'],
      [{ status, body: { message: 'Forbidden' } }, 'later'],
      [{ status, body: { error: { code: 7 }, message: 'Forbidden' } }, 'later'],
      [{ status, body: [TOCSIN] }, 'later'],
    ]),
  ];
  for (const [answer, kind] of cases) {
    server.answer = () => answer;
    const outcome = await link.heartbeat('c', '{}');
    assert.equal(outcome.kind, kind, JSON.stringify(answer));
    if (kind === 'refused') assert.equal('message' in outcome && outcome.message, 'A reason of two lines.');
  }
  assert.match(said.at(-1) ?? '', /No Tocsin server answers at .* \(404\): check --url, and any proxy/);
});
