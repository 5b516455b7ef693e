// Enrols as the user who owns the folder, before the service starts; run again, it keeps a valid credential.
import { stderrLog } from '#probe/log.ts';
import { VERSION } from '#probe/version.ts';
import { isHttp, isSameServer, notHttp } from '../address.ts';
import { defaultDataDir } from '../command.ts';
import { enrol } from '../enrol.ts';
import { openLink } from '../link.ts';
import { machineName } from '../machine-name.ts';
import { openStore } from '../store.ts';
import { timeOfMachine } from '../time.ts';
import { TOKEN_VARIABLE } from './steps.ts';

export type EnrolMachine = {
  url: string | undefined;
  token: string | undefined;
  dataDir: string | undefined;
  labels: string | undefined;
  name: string | undefined;
};

/** Returns a sentence about the result; rejects with a sentence if this machine is not enrolled. */
export async function enrolMachine({ url, token, dataDir, labels, name }: EnrolMachine): Promise<string> {
  if (url !== undefined && !isHttp(url)) throw new Error(notHttp(url));
  const store = openStore(dataDir ?? defaultDataDir());
  const known = store.readIdentity();
  if (known && url !== undefined && !isSameServer(known.url, url))
    throw new Error(
      `This machine is enrolled at ${known.url}, not at ${url}. Uninstall the agent first; then enrol it there.`,
    );
  const target = known?.url ?? url;
  if (target === undefined) throw new Error('This machine is not enrolled yet: give --url and --token.');
  const { signal } = new AbortController();
  const link = openLink({ url: target, log: stderrLog, steadyNowMs: timeOfMachine().steadyNowMs, signal });
  try {
    if (known) {
      // Not a heartbeat: the server checks the credential first.
      const outcome = await link.heartbeat(known.credential, '{}');
      if (outcome.kind !== 'unknown') return `This machine is enrolled at ${known.url} as ${known.agentId}.`;
    }
    if (token === undefined)
      throw new Error(
        known
          ? `The server no longer knows this agent: give a new --token (or ${TOKEN_VARIABLE}).`
          : `This machine is not enrolled yet: give --token (or ${TOKEN_VARIABLE}), which Tocsin shows under Hosts.`,
      );
    const machine = { ...machineName(), ...(name === undefined ? {} : { hostname: name }) };
    const common = { agentVersion: VERSION, store, link, log: stderrLog, signal };
    const identity = await enrol({ url: target, token, labels, machine, ...common, once: true });
    if (identity === null) throw new Error('The enrolment was stopped.');
    return `This machine is enrolled at ${identity.url} as ${identity.agentId}.`;
  } finally {
    link.close();
  }
}
