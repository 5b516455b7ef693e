// Every command there is. What one does is loaded only when it is asked for.
import { WrongWords } from './wrong-words.ts';

/** One with a value has to be given, unless it is `optional`; one that is `repeated` may be given several times. */
export type Option = { about: string; value?: string; optional?: true; repeated?: true };

export type Given = {
  /** As many as the command names. */
  words: string[];
  /** What was given with an option; null where it was not. */
  value(option: string): string | null;
  /** Everything that was given with a repeated option. */
  values(option: string): string[];
  has(option: string): boolean;
};

export type Command = {
  /** Names of the words behind it; one in brackets may be left out. */
  words: readonly string[];
  options: Readonly<Record<string, Option>>;
  summary: string;
  /** Further sentences of its help. */
  more?: string;
} & (
  | {
      /** Answers the exit code. */
      run(given: Given): Promise<number>;
    }
  | {
      /** Reads the words behind it, and says its help, itself. */
      runWords(words: readonly string[]): Promise<number>;
    }
);

const FORCE = { about: 'replace what is there' };

export const COMMANDS: Readonly<Record<string, Command>> = {
  serve: {
    words: [],
    options: {},
    summary: 'start the server, its database and the probe of the region "local"',
    run: async () => (await import('../supervise/serve.ts')).serve(),
  },
  probe: {
    words: [],
    options: {
      url: { about: 'where the server is', value: 'URL' },
      token: { about: 'of the region it checks for', value: 'TOKEN' },
    },
    summary: 'check monitors from this machine for a server elsewhere (more: probe --help)',
    runWords: async (words) => (await import('./run/probe.ts')).runProbeCommand(words),
  },
  migrate: {
    words: [],
    options: {},
    summary: 'bring the database to the schema of this version (serve does it by itself)',
    run: async () => (await import('./run/migrate.ts')).runMigrate(),
  },
  backup: {
    words: ['FILE'],
    options: {
      recipient: {
        about: 'encrypt it for this age recipient; may be given several times',
        value: 'age1…',
        optional: true,
        repeated: true,
      },
      'passphrase-file': { about: 'encrypt it with the passphrase in a file', value: 'FILE', optional: true },
      unencrypted: { about: 'do not encrypt it' },
      'with-key': { about: 'put the secret key into it as well; encrypted ones only' },
      force: FORCE,
    },
    summary: 'write the whole installation into one file, while it runs',
    more:
      'Encrypted for age recipients, or with a passphrase (of a file, or BACKUP_PASSPHRASE): age --decrypt opens it as ' +
      'well.\nIn it is a compressed archive of every table as of one instant, with checksums; sessions, one-time links ' +
      'and wrong tries are left out. The secret key is kept apart unless --with-key is said: without it the backup cannot ' +
      'be restored. "-" writes to standard output.',
    run: async ({ words: [file = ''], value, values, has }) =>
      (await import('./run/backup.ts')).runBackup({
        file,
        force: has('force'),
        withKey: has('with-key'),
        recipients: values('recipient'),
        passphraseFile: value('passphrase-file'),
        unencrypted: has('unencrypted'),
      }),
  },
  restore: {
    words: ['FILE'],
    options: {
      identity: {
        about: 'a file with age identities that open it; may be given several times',
        value: 'FILE',
        optional: true,
        repeated: true,
      },
      'passphrase-file': { about: 'open it with the passphrase in a file', value: 'FILE', optional: true },
      'revoke-keys': { about: 'revoke every API key and probe token in it' },
    },
    summary: 'make a new installation of a backup',
    more:
      'Into an empty DATA_DIR, or an empty database in DATABASE_URL. It is checked before anything is kept: either ' +
      'everything is restored, or nothing.\nThe secret key of the installation has to be there (SECRET_KEY, or the file ' +
      'secret-key in DATA_DIR) unless it is in the backup. "-" reads from standard input.',
    run: async ({ words: [file = ''], value, values, has }) =>
      (await import('./run/restore.ts')).runRestore({
        file,
        identityFiles: values('identity'),
        passphraseFile: value('passphrase-file'),
        revokeKeys: has('revoke-keys'),
      }),
  },
  export: {
    words: [],
    options: {
      organization: { about: 'its slug or id', value: 'SLUG' },
      to: { about: 'the folder to write into; it is made where it is missing', value: 'DIR' },
      force: FORCE,
    },
    summary: 'write everything one organization owns as JSON lines and CSV',
    more:
      'Writes organization.jsonl, uptime.csv and incidents.csv, readable by their owner only: secrets of monitors and ' +
      'webhooks are in clear in them.\nPasswords, sessions and second factors of people are never exported.',
    run: async (given) => {
      const organization = required(given, 'organization');
      const to = required(given, 'to');
      return (await import('./run/export.ts')).runExport({ organization, to, force: given.has('force') });
    },
  },
  import: {
    words: ['DIR'],
    options: { slug: { about: 'call it so where its slug is taken here', value: 'SLUG', optional: true } },
    summary: 'take over an organization that another installation has exported',
    more:
      'DIR is the folder of the export, or its organization.jsonl. Ids stay. Members who have an account here become ' +
      'members, for the others it prints invitations.',
    run: async ({ words: [from = ''], value }) =>
      (await import('./run/import.ts')).runImport({ from, slug: value('slug') }),
  },
  plan: {
    words: [],
    options: {},
    summary: 'list organizations with their plans, and what the plans allow',
    run: async () => (await import('./run/plan.ts')).runPlanList(),
  },
  'plan set': {
    words: ['ORGANIZATION', 'PLAN'],
    options: {},
    summary: 'set the plan of an organization (its slug or id)',
    more: 'A smaller plan deletes nothing: what is over its limits keeps working and cannot grow.',
    run: async ({ words: [organization = '', plan = ''] }) =>
      (await import('./run/plan.ts')).runPlanSet(organization, plan),
  },
  'region list': {
    words: [],
    options: {},
    summary: 'list regions with their probes and probe tokens',
    run: async () => (await import('./run/region.ts')).runRegionList(),
  },
  'region add': {
    words: ['SLUG'],
    options: {
      name: { about: 'how people read it', value: 'NAME' },
      canary: {
        about: 'tried when a check gets no answer; may be given several times',
        value: 'HOST:PORT',
        optional: true,
        repeated: true,
      },
      internal: { about: 'not to be chosen for monitors' },
      'allow-private-targets': { about: 'its probes may check loopback and private addresses' },
    },
    summary: 'add a region that monitors can be checked from',
    more:
      'Afterwards make a token for its probes: tocsin region token SLUG. Canaries are hosts that answer whenever the ' +
      'network of the probes works: when a check gets no answer and they do not answer either, it was no outage.',
    run: async (given) => {
      const [slug = ''] = given.words;
      return (await import('./run/region.ts')).runRegionAdd({
        slug,
        name: required(given, 'name'),
        canaries: given.values('canary'),
        internal: given.has('internal'),
        allow_private_targets: given.has('allow-private-targets'),
      });
    },
  },
  'region token': {
    words: ['SLUG'],
    options: {
      probes: {
        about: 'how many probes it lets in by itself, 1 to 1000 (default 3)',
        value: 'N',
        optional: true,
      },
      rotate: { about: 'give the bundled probe (region local) another token instead' },
    },
    summary: 'make a token for probes of a region, and print the command that starts one',
    more:
      'It is shown this once. BASE_URL decides which address the probe is told to reach the server at.\nProbes beyond ' +
      '--probes wait until they are admitted: tocsin region admit.',
    run: async ({ words: [slug = ''], value, has }) =>
      (await import('./run/region.ts')).runRegionToken(slug, {
        probes: value('probes'),
        rotate: has('rotate'),
      }),
  },
  'region admit': {
    words: ['SLUG', 'PROBE'],
    options: {},
    summary: 'admit a probe that waits, or that was refused',
    run: async ({ words: [slug = '', probe = ''] }) =>
      (await import('./run/region.ts')).runRegionProbe('admit', slug, probe),
  },
  'region refuse': {
    words: ['SLUG', 'PROBE'],
    options: {},
    summary: 'shut a probe out: it gets no monitors any more',
    run: async ({ words: [slug = '', probe = ''] }) =>
      (await import('./run/region.ts')).runRegionProbe('refuse', slug, probe),
  },
  'region remove': {
    words: ['SLUG', 'PROBE'],
    options: {},
    summary: 'forget a probe that is gone, so that another one may come with its token',
    run: async ({ words: [slug = '', probe = ''] }) =>
      (await import('./run/region.ts')).runRegionProbe('remove', slug, probe),
  },
  'revoke-keys': {
    words: [],
    options: {},
    summary: 'revoke every API key and probe token there is',
    more:
      'After a backup was restored that may hold revoked ones, or after somebody had the database. Passwords and sessions ' +
      'are not touched.',
    run: async () => (await import('./run/revoke-keys.ts')).runRevokeKeys(),
  },
  'secret-key status': {
    words: [],
    options: {},
    summary: 'say which SECRET_KEY is in force, and how many stored secrets are sealed under it',
    run: async () => (await import('./run/secret-key.ts')).runSecretKeyStatus(),
  },
  'secret-key rotate': {
    words: [],
    options: {},
    summary: 'replace SECRET_KEY while the installation runs: make a new one',
    more:
      'With the key in DATA_DIR it makes a new one and keeps the old one beside it; with SECRET_KEY from the environment it ' +
      'prints what to set, in which order. Servers then seal every stored secret again.',
    run: async () => (await import('./run/secret-key.ts')).runSecretKeyRotate(),
  },
  'secret-key finish': {
    words: [],
    options: {},
    summary: 'end a rotation of SECRET_KEY: seal what is left, and forget the old key',
    run: async () => (await import('./run/secret-key.ts')).runSecretKeyFinish(),
  },
  doctor: {
    words: [],
    options: {},
    summary: 'look at everything the installation stands on, and say what to do',
    more:
      'Database, clock, secret key, activity logs, disk, mail, DNS and port; one line each: OK, WARN or FAIL. ' +
      'Exits with 1 where one failed. Nothing is changed.',
    run: async () => (await import('./run/doctor.ts')).runDoctor(),
  },
  'user reset-password': {
    words: ['EMAIL'],
    options: {},
    summary: 'print a link with which somebody sets a new password',
    more: 'BASE_URL decides where the link leads.',
    run: async ({ words: [email = ''] }) => (await import('./run/reset-password.ts')).runResetPassword(email),
  },
  'user turn-off-two-factor': {
    words: ['EMAIL'],
    options: {},
    summary: 'for somebody who has lost the authenticator and the recovery codes',
    more: 'Be certain who asks for it: from then on the password alone opens the account. Ends all its sessions.',
    run: async ({ words: [email = ''] }) =>
      (await import('./run/turn-off-two-factor.ts')).runTurnOffTwoFactor(email),
  },
};

function required(given: Given, option: string): string {
  const value = given.value(option);
  if (!value) throw new WrongWords(`--${option} is missing.`);
  return value;
}
