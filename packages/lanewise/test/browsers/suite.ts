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

/** Files of `npm run test:long` that run outside Node as well: in browsers, and in Bun and Deno if a mode names them. */
const longOutsideNode = reasons('Runs in browsers, too');

/** Files that run in each mode: known answers of every primitive, and all that depends on a page, a worker or its headers. */
export const inEveryMode = reasons('Runs in every mode');

/** The tests of the host itself, which only these runs have. */
export const HOST = 'host';

/** The names of all files that run in some engine. Those of `npm run test:long` run in Node, unless they say otherwise. */
export const suite = [
  HOST,
  ...names.filter((name) => (/\.(long|nightly)$/.test(name) ? name in longOutsideNode : !(name in onlyInNode))),
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
  /** Whether all files run there; if not, it is those of `inEveryMode`, because another mode runs the rest on these engines. */
  readonly complete: boolean;
  /** Files that run in a mode that is not complete, too. */
  readonly also?: RegExp;
}

const all = ['simd', 'scalar', 'js'];

/** Each kind of realm and each header occurs in one of the modes; each engine runs in all modes that permit it. */
export const modes: readonly Mode[] = [
  {
    id: 'isolated',
    title: 'page, COOP and COEP',
    place: 'page',
    headers: { 'cross-origin-opener-policy': 'same-origin', 'cross-origin-embedder-policy': 'require-corp' },
    isolated: true,
    engines: all,
    complete: true,
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

/** Bun and Deno: known answers of every primitive, and pools and streams, which use features of such hosts. */
export const programMode: Mode = {
  id: 'program',
  title: 'program',
  place: 'worker',
  headers: {},
  isolated: false,
  engines: all,
  complete: false,
  also: /^((stream|io|pool)\/(?!.*\.long$)|properties\/streams\.long$)/,
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
};

/** The same with modules that it has compiled itself: provided.ts. */
export const providedMode: Mode = { ...workerdMode, id: 'provided', title: 'provided modules', complete: false };

export const filesOf = ({ id, engines, complete, also }: Mode): string[] =>
  suite
    .filter((name) => complete || name === HOST || name in inEveryMode || also?.test(name))
    .filter((name) => engines.includes('scalar') || !(name in withWebAssembly))
    .filter((name) => id !== workerdMode.id || !(name in withWorkers));

/** Node on a processor under emulation, which is slow: known answers of every primitive, self-tests and fallbacks. */
export interface PlatformMode extends Mode {
  /** The name of a `Platform`. */
  readonly platform: string;
  /** Options of Node. */
  readonly arguments: readonly string[];
  readonly files: readonly string[];
}

/** The known answers of every primitive. */
const primitives = suite.filter((name) => inEveryMode[name] === 'known answers');
const emulated = { place: 'worker', headers: {}, isolated: false, complete: false } as const;

export const platformModes: readonly PlatformMode[] = [
  {
    ...emulated,
    id: 'arm64',
    platform: 'arm64',
    title: 'all engines',
    arguments: [],
    engines: all,
    files: [HOST, 'engine/self-test', ...primitives],
  },
  {
    ...emulated,
    id: 'arm64-jitless',
    platform: 'arm64',
    title: 'without WebAssembly',
    arguments: ['--jitless'],
    engines: ['js'],
    files: [HOST],
  },
  {
    ...emulated,
    id: 's390x',
    platform: 's390x',
    title: 'WebAssembly, base compiler',
    arguments: ['--liftoff-only'],
    engines: ['simd', 'scalar'],
    files: [HOST, ...primitives],
  },
  {
    ...emulated,
    id: 's390x-jitless',
    platform: 's390x',
    title: 'no engine at all',
    arguments: ['--jitless'],
    engines: [],
    files: [HOST],
  },
];

/** Remarks for readers of the report. */
export const platformRemarks: readonly string[] = [
  "On s390x, V8's optimising compiler ends with a segmentation fault under emulation, so its base compiler runs alone.",
  'The faults that self-test plants are not planted there: the js engine, to which they lead, is little-endian.',
];
