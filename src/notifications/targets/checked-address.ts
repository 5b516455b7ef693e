// Checks the address of a target (docs/rules/notifications.md#addresses-of-targets).
import { networkAccess } from '#src/domain/network-policy.ts';
import { checkUrl, targetSentence } from '#src/domain/target.ts';
import { ownAddresses } from '#src/platform/own-addresses.ts';
import { refuse } from '#src/platform/refusals.ts';
import { isChatHost, type OperatorAddresses, portOf } from './operator-addresses.ts';

export type AddressOptions = OperatorAddresses & { allowPrivate: boolean; baseUrl: string };

/** Kinds of targets with an address of their own. */
export type AddressedKind = 'webhook' | 'slack' | 'msteams' | 'discord' | 'mattermost';

type Provider = { name: string; example: string; hosts: RegExp; paths: RegExp };

/**
 * The full host names of each provider, and the beginnings of its paths. Slack has a separate host for governments. A Teams
 * workflow is at Power Platform, formerly at Logic Apps; both also exist in government clouds and in China.
 */
const PROVIDERS: Partial<Record<AddressedKind, Provider>> = {
  slack: {
    name: 'a Slack incoming webhook',
    example: 'https://hooks.slack.com/services/…',
    hosts: /^hooks\.slack(-gov)?\.com$/,
    // Triggers of Slack workflows have other addresses: they accept no messages.
    paths: /^\/services\/./,
  },
  discord: {
    name: 'a Discord webhook',
    example: 'https://discord.com/api/webhooks/…',
    hosts: /^((ptb|canary)\.)?discord(app)?\.com$/,
    // A suffix behind the token selects the message format of another provider.
    paths: /^\/api\/(v[0-9]+\/)?webhooks\/[0-9]+\/[\w-]+\/?$/,
  },
  msteams: {
    name: 'a Teams workflow',
    example: 'https://….environment.api.powerplatform.com/powerautomate/…',
    hosts:
      /^([a-z0-9-]+\.)+(environment\.api\.powerplatform\.(com|partner\.microsoftonline\.cn)|environment\.api\.(gov|high)\.powerplatform\.microsoft\.us|environment\.api\.appsplatform\.us|logic\.azure\.(com|us|cn))$/,
    paths: /\/workflows\/./,
  },
};

const RETIRED_CONNECTOR = /^((.+\.)?webhook\.office(365)?\.com|outlook\.office(365)?\.com)$/;

/** The normalised address of a target of this kind; refuses with `invalid_target` and the reason. */
export function checkedAddress(
  kind: AddressedKind,
  given: string | null | undefined,
  options: AddressOptions,
): string {
  const url = parsed(given);
  const chosen = kind !== 'webhook' && isChatHost(url, options);
  // Host names are judged when they are resolved, at connect time. Here the form and literal addresses are judged.
  if (!chosen) {
    if (!options.allowPrivate) refuseSingleLabel(url);
    refuseForbidden(url, options.allowPrivate);
  }
  refuseOwn(url, options.baseUrl);
  if (!chosen) refuseStrangers(kind, url);
  return url.href;
}

function parsed(given: string | null | undefined): URL {
  const schemes = ['http', 'https'];
  const checked = checkUrl(given ?? '', { schemes, allowSingleLabel: true });
  if (!checked.ok) return no(targetSentence('url', checked.reason, schemes), checked.reason);
  const { url } = checked;
  if (url.username !== '' || url.password !== '')
    no('url must not contain a user name or password; what identifies the sender is in the message.');
  return url;
}

/** Host names of one label exist in private networks only. */
function refuseSingleLabel({ href }: URL): void {
  const checked = checkUrl(href, { schemes: ['http', 'https'], allowSingleLabel: false });
  if (!checked.ok) no(targetSentence('url', checked.reason), checked.reason);
}

function refuseForbidden({ hostname }: URL, allowPrivate: boolean): void {
  const ip = hostname.replace(/^\[(.*)\]$/, '$1');
  if (!/^[0-9.]+$/.test(ip) && !ip.includes(':')) return;
  const judged = networkAccess(ip, { allowPrivate });
  if (!judged.allowed) no(`url is an address that this installation does not send to (${judged.why}).`);
}

/** Whether a host is this machine, in any notation: `0.0.0.0`, `[::ffff:127.0.0.1]`. */
function isOwnMachine(host: string): boolean {
  if (host === 'localhost' || host.endsWith('.localhost')) return true;
  const ip = host.replace(/^\[(.*)\]$/, '$1');
  if (ownAddresses().includes(ip)) return true;
  const judged = networkAccess(ip, { allowPrivate: false });
  return !judged.allowed && (judged.why === 'loopback' || judged.why === 'unspecified');
}

/** A message to Tocsin itself could only come back as another event. */
function refuseOwn(url: URL, baseUrl: string): void {
  const own = URL.parse(baseUrl);
  if (own === null) return;
  const host = url.hostname.replace(/\.+$/, '');
  const sameHost = host === own.hostname || (isOwnMachine(host) && isOwnMachine(own.hostname));
  // Both standard ports belong to one installation: one redirects to the other.
  const samePort = portOf(url) === portOf(own) || (url.port === '' && own.port === '');
  if (sameHost && samePort) no('url is an address of this installation itself.');
}

function refuseStrangers(kind: AddressedKind, url: URL): void {
  if (kind === 'msteams' && RETIRED_CONNECTOR.test(url.hostname))
    no(
      'url is the address of an Office 365 connector, which Microsoft has retired: make a workflow in Teams ("Send webhook alerts to a channel") and give its address.',
    );
  const provider = PROVIDERS[kind];
  if (!provider) return;
  const { name, example, hosts, paths } = provider;
  if (url.protocol !== 'https:')
    no(`url must be https: the address of ${name} (${example}).`, 'unsupported_scheme');
  if (url.port !== '' || !hosts.test(url.hostname) || !paths.test(url.pathname))
    no(`url is not the address of ${name} (${example}); the operator can allow further hosts.`);
}

const no = (message: string, reason?: string): never =>
  refuse('invalid_target', message, { field: 'url', ...(reason === undefined ? {} : { reason }) });
