// The systemd unit of the agent (docs/agents.md#what-the-unit-allows).

import { RESTART_CODE } from '../upgrade/upgrading.ts';
import { NODE_FLAGS } from './node-flags.ts';

export type ServiceProgram = {
  /** Absolute paths. */
  node: string;
  file: string;
  dataDir: string;
};

/** The user and group of the system service, which the installation creates. */
export const SERVICE_USER = 'tocsin-agent';
export const SERVICE_NAME = 'tocsin-agent';

/** The agent takes a seventh of the memory, and a hundredth of the processor. */
const LIMITS = ['MemoryMax=400M', 'CPUQuota=50%', 'TasksMax=64'];

/**
 * It sees the machine and changes nothing on it. Left out on purpose: ProtectHome=yes and PrivateMounts would hide mounts below
 * /home from its figures, ProtectProc=invisible and ProcSubset=pid would hide other processes, and MemoryDenyWriteExecute would
 * end Node's compiler.
 */
const HARDENING = `NoNewPrivileges=yes
CapabilityBoundingSet=
AmbientCapabilities=
ProtectSystem=strict
ProtectHome=read-only
PrivateTmp=yes
PrivateDevices=yes
ProtectKernelTunables=yes
ProtectKernelModules=yes
ProtectKernelLogs=yes
ProtectControlGroups=yes
ProtectClock=yes
ProtectHostname=yes
ProtectProc=default
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX AF_NETLINK
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
LockPersonality=yes
RemoveIPC=yes
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallErrorNumber=EPERM
KeyringMode=private
UMask=0077`;

/** The unit for the whole system. `systemdVersion`: versions before 254 have no growing pauses. */
export function systemUnit(program: ServiceProgram, systemdVersion: number): string {
  return unit(program, systemdVersion, {
    service: [
      `User=${SERVICE_USER}`,
      `Group=${SERVICE_USER}`,
      `StateDirectory=${SERVICE_NAME}`,
      'StateDirectoryMode=0700',
      ...LIMITS,
      HARDENING,
    ],
    wantedBy: 'multi-user.target',
  });
}

/** The unit for one user, who has no further rights to give up. */
export function userUnit(program: ServiceProgram, systemdVersion: number): string {
  return unit(program, systemdVersion, {
    service: [...LIMITS, 'NoNewPrivileges=yes', 'UMask=0077'],
    wantedBy: 'default.target',
  });
}

function unit(
  { node, file, dataDir }: ServiceProgram,
  systemdVersion: number,
  { service, wantedBy }: { service: readonly string[]; wantedBy: string },
): string {
  const words = [node, ...NODE_FLAGS, file, '--service', '--data-dir', dataDir].map(quoted).join(' ');
  const growing = systemdVersion >= 254 ? ['RestartSteps=6', 'RestartMaxDelaySec=5min'] : [];
  return `${[
    '[Unit]',
    'Description=Tocsin host agent',
    'Wants=network-online.target',
    'After=network-online.target',
    '# It is never given up.',
    'StartLimitIntervalSec=0',
    '',
    '[Service]',
    `ExecStart=${words}`,
    'Restart=always',
    `RestartSec=${growing.length > 0 ? '5' : '15'}`,
    ...growing,
    `# It ends like this when it has fetched a newer version of itself.`,
    `SuccessExitStatus=${RESTART_CODE}`,
    'TimeoutStopSec=20',
    ...service,
    '',
    '[Install]',
    `WantedBy=${wantedBy}`,
  ].join('\n')}\n`;
}

/** A word of a command line quoted for systemd: nothing in it is expanded. */
function quoted(word: string): string {
  const literal = word.replaceAll('%', '%%').replaceAll('$', '$$$$');
  return /^[\w@%+=:,./$-]+$/.test(literal) ? literal : `"${literal.replace(/["\\]/g, '\\$&')}"`;
}
