/** The test files that run outside Node, and the hosts for them. Every file does unless a reason against it stands here. */
import { globSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const tests = join(import.meta.dirname, '..');

/** The name of a test file: `stream/web` for `test/stream/web.test.ts`. */
export const nameOf = (path: string): string =>
  relative(tests, path).replaceAll('\\', '/').slice(0, -'.test.ts'.length);

const names = globSync('**/*.test.ts', { cwd: tests })
  .map((path) => nameOf(join(tests, path)))
  .sort();

/** The reasons that test files give for not running everywhere: in a comment of one line at their head, with these words. */
const reasons = (words: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    names.flatMap((name) => {
      const found = new RegExp(`^// ${words}: (.+)\\.$`, 'm').exec(
        readFileSync(join(tests, `${name}.test.ts`), 'utf8'),
      );
      return found ? [[name, found[1]]] : [];
    }),
  );

/** Files about Node or about build time, with the reason why another engine is not tested by them. */
export const onlyInNode = reasons('Runs in Node only');

/** Files that need WebAssembly themselves, whatever the library does. */
export const withWebAssembly = reasons('Needs WebAssembly');

/** Files that start workers, or do the work of some. */
export const withWorkers = reasons('Needs workers');

/** Files of `npm run test:long` and `npm run test:nightly` that run outside Node as well, at night. */
const longOutsideNode = reasons('Runs in browsers, too');

/** Files that run in each mode: known answers of every primitive, and all that depends on a page, a worker or its headers. */
export const inEveryMode = reasons('Runs in every mode');

/** The known answers of every primitive. */
const primitives = names.filter((name) => inEveryMode[name] === 'known answers');

/** Those of them that run in every mode on each change, too: answers of all ciphers and of all formats of streams. */
const brief = ['library/vectors', 'stream/known-answers'];

/** The tests of the host itself, which only these runs have. */
export const HOST = 'host';

const takesLong = (name: string): boolean => /\.(long|nightly)$/.test(name);

/** The names of all files that run in some engine. Those that take long run in Node, unless they say otherwise. */
export const suite = [
  HOST,
  ...names.filter((name) => (takesLong(name) ? name in longOutsideNode : !(name in onlyInNode))),
];

/** The path of a file that `suite` names. */
export const sourceOf = (name: string): string =>
  name === HOST ? join(import.meta.dirname, 'host.ts') : join(tests, `${name}.test.ts`);

export interface Mode {
  readonly id: string;
  /** A name for people. */
  readonly title: string;
  readonly place: 'page' | 'worker';
  /** The headers of all responses. */
  readonly headers: Readonly<Record<string, string>>;
  readonly isolated: boolean;
  /** The engines that must work, best first; all others must be refused. */
  readonly engines: readonly string[];
  /** Whether all files run there at night. On each change, all of them run in Node only. */
  readonly complete: boolean;
  /** What runs on each change, besides the files of `inEveryMode`. */
  readonly also?: (name: string) => boolean;
}

const all = ['simd', 'scalar', 'js'];

/** Where two hosts of one JavaScript engine can differ: streams, workers, realms, and which WebAssembly they permit. */
const ofHosts = (name: string): boolean =>
  /^((engine|io|pool|stream)\/|(argon2\/lanes|blake3\/errors|library\/options|library\/turns)$)/.test(name);

/** Where two JavaScript engines can differ, too: known answers, and every length. What calls refuse is the same JavaScript in all. */
const ofEngines = (name: string): boolean =>
  ofHosts(name) || primitives.includes(name) || /^(library|blake3)\/(aead|lengths|streaming|tree)$/.test(name);

/** The modes of browsers. Each kind of realm and each header occurs in one of them; each engine runs in all modes that permit it. */
export const modes: readonly Mode[] = [
  {
    id: 'isolated',
    title: 'page, COOP and COEP',
    place: 'page',
    headers: { 'cross-origin-opener-policy': 'same-origin', 'cross-origin-embedder-policy': 'require-corp' },
    isolated: true,
    engines: all,
    complete: true,
    also: ofEngines,
  },
  {
    id: 'worker',
    title: 'worker, no headers',
    place: 'worker',
    headers: {},
    isolated: false,
    engines: all,
    complete: false,
  },
  {
    id: 'csp',
    title: "page, CSP default-src 'self'",
    place: 'page',
    headers: { 'content-security-policy': "default-src 'self'" },
    isolated: false,
    engines: ['js'],
    complete: false,
  },
];

/** The same for one browser: Chromium's JavaScript engine is that of Node. */
export const modesOf = (browser: string): readonly Mode[] =>
  browser === 'chromium' ? modes.map((mode) => (mode.complete ? { ...mode, also: ofHosts } : mode)) : modes;

/** Bun and Deno, whose JavaScript engines other hosts have, too. */
export const programMode: Mode = {
  id: 'program',
  title: 'program',
  place: 'worker',
  headers: {},
  isolated: false,
  engines: all,
  complete: false,
  also: (name) => /^((stream|io|pool)\/(?!.*\.long$)|properties\/streams\.long$)/.test(name),
};

/** workerd compiles nothing at run time. */
export const workerdMode: Mode = {
  id: 'workerd',
  title: 'request handler',
  place: 'worker',
  headers: {},
  isolated: false,
  engines: ['js'],
  complete: true,
  also: ofHosts,
};

/** The same with modules that it has compiled itself: provided.ts. */
export const providedMode: Mode = { ...workerdMode, id: 'provided', title: 'provided modules', complete: false };

/** The files that run in a mode: on each change, or at night. */
export const filesOf = ({ id, engines, complete, also }: Mode, night = false): string[] =>
  suite
    .filter((name) => night || !takesLong(name))
    .filter(
      (name) =>
        (night && complete) ||
        name === HOST ||
        (name in inEveryMode && (night || brief.includes(name) || !primitives.includes(name))) ||
        also?.(name),
    )
    .filter((name) => engines.includes('scalar') || !(name in withWebAssembly))
    .filter((name) => id !== workerdMode.id || !(name in withWorkers));

/** Node on a processor under emulation, which is slow: self-tests and fallbacks, known answers, and at night those of every primitive. */
export interface PlatformMode extends Mode {
  /** The name of a `Platform`. */
  readonly platform: string;
  /** Options of Node. */
  readonly arguments: readonly string[];
  readonly files: readonly string[];
  /** Files that run at night, too. */
  readonly later: readonly string[];
}

const emulated = { place: 'worker', headers: {}, isolated: false, complete: false } as const;

export const platformModes: readonly PlatformMode[] = [
  {
    ...emulated,
    id: 'arm64',
    platform: 'arm64',
    title: 'all engines',
    arguments: [],
    engines: all,
    files: [HOST, 'engine/self-test', ...brief],
    later: primitives,
  },
  {
    ...emulated,
    id: 'arm64-jitless',
    platform: 'arm64',
    title: 'without WebAssembly',
    arguments: ['--jitless'],
    engines: ['js'],
    files: [HOST],
    later: [],
  },
  {
    ...emulated,
    id: 's390x',
    platform: 's390x',
    title: 'WebAssembly, base compiler',
    arguments: ['--liftoff-only'],
    engines: ['simd', 'scalar'],
    files: [HOST, ...brief],
    later: primitives,
  },
  {
    ...emulated,
    id: 's390x-jitless',
    platform: 's390x',
    title: 'no engine at all',
    arguments: ['--jitless'],
    engines: [],
    files: [HOST],
    later: [],
  },
];

/** Remarks for readers of the report. */
export const platformRemarks: readonly string[] = [
  "On s390x, V8's optimising compiler ends with a segmentation fault under emulation, so its base compiler runs alone.",
  'The faults that self-test plants are not planted there: the js engine, to which they lead, is little-endian.',
];
