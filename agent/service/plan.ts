// The steps that install and uninstall the agent on a machine. Pure: the same facts give the same steps.
import { posix } from 'node:path';
import type { Facts } from './facts.ts';
import { LAUNCHD_LABEL, propertyList } from './launchd.ts';
import type { Step } from './steps.ts';
import { SERVICE_NAME, SERVICE_USER, type ServiceProgram, systemUnit, userUnit } from './systemd.ts';

const { join } = posix;
const FILE = 'tocsin-agent.mjs';

/** The options of an enrolment beside the token. */
export type InstallOptions = {
  url?: string | undefined;
  labels?: string | undefined;
  name?: string | undefined;
};

/** The steps; or a sentence that says why there are none, and what to do instead. */
export type Plan = { steps: Step[] } | { instead: string };

/** All paths on such a machine; null: it has no service manager that we support. */
function placesOf(facts: Facts) {
  const { platform, isRoot, home } = facts;
  if (platform === 'linux' && facts.systemdVersion !== null)
    return isRoot
      ? {
          kind: 'system unit' as const,
          folder: '/usr/local/lib/tocsin-agent',
          dataDir: `/var/lib/${SERVICE_NAME}`,
          unit: `/etc/systemd/system/${SERVICE_NAME}.service`,
        }
      : {
          kind: 'user unit' as const,
          folder: join(home, '.local/lib/tocsin-agent'),
          dataDir: join(home, '.local/share/tocsin-agent'),
          unit: join(home, `.config/systemd/user/${SERVICE_NAME}.service`),
        };
  if (platform === 'darwin')
    return {
      kind: 'launchd' as const,
      folder: isRoot
        ? '/usr/local/lib/tocsin-agent'
        : join(home, 'Library/Application Support/tocsin-agent/program'),
      dataDir: isRoot
        ? '/usr/local/var/tocsin-agent'
        : join(home, 'Library/Application Support/tocsin-agent/data'),
      unit: isRoot
        ? `/Library/LaunchDaemons/${LAUNCHD_LABEL}.plist`
        : join(home, `Library/LaunchAgents/${LAUNCHD_LABEL}.plist`),
      log: isRoot ? '/Library/Logs/tocsin-agent.log' : join(home, 'Library/Logs/tocsin-agent.log'),
    };
  return null;
}

export function planInstall(facts: Facts, wanted: InstallOptions): Plan {
  const places = placesOf(facts);
  if (places === null) return { instead: withoutManager(facts, wanted) };
  const { node, realNode, own } = facts;
  if (facts.isRoot && places.kind === 'system unit' && /^\/(?:home|root)\//.test(realNode))
    return {
      instead: `Node is in a home folder (${realNode}), which the service's own user cannot read. Install one for the whole system, for example with the package manager, and run this again.`,
    };
  const daemonUser = places.kind === 'launchd' && facts.isRoot ? facts.sudoUser : null;
  if (places.kind === 'launchd' && facts.isRoot && daemonUser === null)
    return {
      instead:
        'Run this with sudo as the user that the agent should run as, or without sudo: then it runs while you are logged in.',
    };
  const { folder, dataDir, unit } = places;
  const file = join(folder, FILE);
  const program: ServiceProgram = { node, file, dataDir };
  const user = places.kind === 'system unit' ? SERVICE_USER : daemonUser;
  const steps: Step[] = [];
  if (places.kind === 'system unit' && !facts.hasUser)
    steps.push(
      run(
        'useradd',
        '--system',
        '--user-group',
        '--no-create-home',
        '--home-dir',
        dataDir,
        '--shell',
        '/usr/sbin/nologin',
        SERVICE_USER,
      ),
    );
  steps.push({ kind: 'folder', path: folder, mode: 0o755 });
  if (own !== file) steps.push({ kind: 'copy', from: own, to: file, mode: 0o644 });
  if (user === null) steps.push({ kind: 'folder', path: dataDir, mode: 0o700 });
  else if (places.kind === 'system unit')
    steps.push(run('install', '-d', '-m', '0700', '-o', user, '-g', user, dataDir));
  else steps.push(run('install', '-d', '-m', '0700', '-o', user, dataDir));
  const through = places.kind === 'launchd' ? 'sudo' : 'runuser';
  steps.push({
    kind: 'enrol',
    user,
    through,
    words: [node, file, 'enrol', '--data-dir', dataDir, ...wordsOf(wanted)],
  });

  if (places.kind === 'launchd') {
    const text = propertyList(program, { log: places.log, ...(daemonUser ? { userName: daemonUser } : {}) });
    const domain = facts.isRoot ? 'system' : `gui/${facts.uid}`;
    if (daemonUser) steps.push(run('touch', places.log), run('chown', daemonUser, places.log));
    steps.push(
      { kind: 'folder', path: posix.dirname(unit), mode: 0o755 },
      { kind: 'file', path: unit, mode: 0o644, text },
      { ...run('launchctl', 'bootout', `${domain}/${LAUNCHD_LABEL}`), mayFail: true },
      run('launchctl', 'bootstrap', domain, unit),
      note(`The agent runs. Its log: ${places.log}`),
    );
    return { steps };
  }
  const systemctl = (...words: string[]) =>
    places.kind === 'user unit' ? run('systemctl', '--user', ...words) : run('systemctl', ...words);
  const version = facts.systemdVersion ?? 0;
  const text = places.kind === 'user unit' ? userUnit(program, version) : systemUnit(program, version);
  steps.push(
    { kind: 'folder', path: posix.dirname(unit), mode: 0o755 },
    { kind: 'file', path: unit, mode: 0o644, text },
    systemctl('daemon-reload'),
    systemctl('enable', `${SERVICE_NAME}.service`),
    systemctl('restart', `${SERVICE_NAME}.service`),
    note(
      places.kind === 'user unit'
        ? `The agent runs while you are logged in. That it also runs before and after, root allows with: loginctl enable-linger ${facts.userName}\nIts log: journalctl --user -u ${SERVICE_NAME}`
        : `The agent runs. Its log: journalctl -u ${SERVICE_NAME}`,
    ),
  );
  return { steps };
}

/** Everything that an installation created, including the agent's data and its user. */
export function planUninstall(facts: Facts): Plan {
  const places = placesOf(facts);
  if (places === null)
    return {
      instead:
        'No service was installed on such a system. Stop the agent, and remove its file and its data folder.',
    };
  const { folder, dataDir, unit } = places;
  const steps: Step[] = [];
  if (places.kind === 'launchd') {
    const domain = facts.isRoot ? 'system' : `gui/${facts.uid}`;
    steps.push({ ...run('launchctl', 'bootout', `${domain}/${LAUNCHD_LABEL}`), mayFail: true });
    steps.push({ kind: 'remove', path: unit }, { kind: 'remove', path: places.log });
  } else {
    const manager = places.kind === 'user unit' ? ['systemctl', '--user'] : ['systemctl'];
    steps.push({ ...run(...manager, 'disable', '--now', `${SERVICE_NAME}.service`), mayFail: true });
    steps.push({ kind: 'remove', path: unit }, run(...manager, 'daemon-reload'));
    steps.push({ ...run(...manager, 'reset-failed', `${SERVICE_NAME}.service`), mayFail: true });
  }
  steps.push({ kind: 'remove', path: folder }, { kind: 'remove', path: dataDir });
  if (places.kind === 'system unit' && facts.hasUser) steps.push(run('userdel', SERVICE_USER));
  steps.push(
    note(
      'The agent is gone from this machine. Tocsin still has the host, with its history: remove it in the dashboard, under Hosts.',
    ),
  );
  return { steps };
}

const run = (...words: string[]) => ({ kind: 'run' as const, words });
const note = (text: string) => ({ kind: 'note' as const, text });

const wordsOf = ({ url, labels, name }: InstallOptions) => [
  ...(url === undefined ? [] : ['--url', url]),
  ...(labels === undefined ? [] : ['--labels', labels]),
  ...(name === undefined ? [] : ['--name', name]),
];

function withoutManager({ platform, node }: Facts, { url = 'URL' }: InstallOptions): string {
  const what =
    platform === 'linux'
      ? 'systemd does not run this machine'
      : `Tocsin has no service for ${platform === 'win32' ? 'Windows' : platform}`;
  return `${what}, so nothing is installed. Fetch the agent to where it may stay, and have the service manager that there is run it as a user without rights, with a folder of its own for the data:
  curl -fsSLO ${url}/download/${FILE}
  ${node} ${FILE} --url ${url} --token TOKEN --data-dir FOLDER
The token is needed for the first start only.`;
}
