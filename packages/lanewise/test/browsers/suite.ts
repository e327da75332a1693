/** Which test files run outside Node, and where. All do, unless something stands here against it. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Files about Node, or about what is done at build time, and why they can say nothing about another engine. */
export const onlyInNode: Readonly<Record<string, string>> = {
  'abuse-exceptions': 'replaces what the library takes from the language before it is loaded',
  'abuse-growing-memory': 'starts a thread of Node, which makes memory grow while a call reads it',
  'abuse-shared-memory': 'starts threads of Node, which write while a call reads',
  'abuse-table': 'about a document',
  'calls-table': 'imports the modules that the manifest of the package names',
  'disk-authenticated-file': 'about files of Node and a document, beside stores in memory',
  'disk-database': 'opens databases, which only Node can',
  'disk-file': 'about files of Node, beside stores in memory',
  engines: 'starts processes of Node, with flags that take things away from it',
  examples: 'starts Node on the examples of the documentation',
  generated: 'about the text that is committed, and what writes it',
  'js-kernel': 'makes JavaScript from modules, which only Node can load then',
  'kernel-modules': 'reads the descriptions of rooms, which are found by folder',
  'properties-fuzz': 'about a script, which keeps files',
  'properties-interleaved': 'asks implementations that only Node can load',
  'properties-overflow': 'asks implementations that only Node can load',
  'properties-timing': 'about the statistics of a script',
  sources: 'about the text of the sources',
  'stand-ins': 'about what these runs have instead of modules of Node',
  rooms: 'about imports, which lint looks at',
  root: 'about the files of the built package',
  types: 'about types',
  workflows: 'about what the repository has done elsewhere',
};

/** Files that need WebAssembly themselves, whatever the library does. */
export const withWebAssembly: Readonly<Record<string, string>> = {
  assembler: 'runs what the assembler makes',
  'assembler-instructions': 'reads what the assembler makes by tools that are WebAssembly',
  'self-test': 'plants faults in modules, and sees them found',
};

/** The tests of the host itself, which are no others than these runs'. */
export const HOST = 'host';

const tests = join(import.meta.dirname, '..');

/** The names of all files that run in some engine. */
export const suite = [
  HOST,
  ...readdirSync(tests)
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => name.slice(0, -'.test.ts'.length))
    .filter((name) => !(name in onlyInNode))
    .sort(),
];

/** Where a file is that `suite` names. */
export const sourceOf = (name: string): string =>
  name === HOST ? join(import.meta.dirname, 'host.ts') : join(tests, `${name}.test.ts`);

export interface Mode {
  readonly id: string;
  /** For people. */
  readonly title: string;
  readonly place: 'page' | 'worker';
  /** That all come with. */
  readonly headers: Readonly<Record<string, string>>;
  readonly isolated: boolean;
  /** Those that must work, best first; all others must be refused. */
  readonly engines: readonly string[];
}

const all = ['simd', 'scalar', 'js'];

/** Each page, each worker, each header is in one of them; each engine of ours in all that leave it. */
export const modes: readonly Mode[] = [
  {
    id: 'isolated',
    title: 'page, COOP and COEP',
    place: 'page',
    headers: { 'cross-origin-opener-policy': 'same-origin', 'cross-origin-embedder-policy': 'require-corp' },
    isolated: true,
    engines: all,
  },
  { id: 'worker', title: 'worker, no headers', place: 'worker', headers: {}, isolated: false, engines: all },
  {
    id: 'csp',
    title: "page, CSP default-src 'self'",
    place: 'page',
    headers: { 'content-security-policy': "default-src 'self'" },
    isolated: false,
    engines: ['js'],
  },
];

/** workerd compiles nothing at run time. */
export const workerdMode: Mode = {
  id: 'workerd',
  title: 'request handler',
  place: 'worker',
  headers: {},
  isolated: false,
  engines: ['js'],
};

export const filesOf = (mode: Mode): string[] =>
  mode.engines.includes('scalar') ? suite : suite.filter((name) => !(name in withWebAssembly));

/** Node on a processor under emulation, which is slow: known answers of every primitive, self-tests and fallbacks. */
export interface PlatformMode extends Mode {
  /** Of `Platform`. */
  readonly platform: string;
  /** Options of Node. */
  readonly arguments: readonly string[];
  readonly files: readonly string[];
}

const primitives = /vectors$|^salsa$|^secretbox$|^nacl$|^random$|^siv$/;
const named = (...patterns: readonly RegExp[]): string[] => [
  HOST,
  ...suite.filter((name) => patterns.some((pattern) => pattern.test(name))),
];
const emulated = { place: 'worker', headers: {}, isolated: false } as const;

export const platformModes: readonly PlatformMode[] = [
  {
    ...emulated,
    id: 'arm64',
    platform: 'arm64',
    title: 'all engines',
    arguments: [],
    engines: all,
    files: named(primitives, /^self-test$/),
  },
  {
    ...emulated,
    id: 'arm64-jitless',
    platform: 'arm64',
    title: 'without WebAssembly',
    arguments: ['--jitless'],
    engines: ['js'],
    files: named(),
  },
  {
    ...emulated,
    id: 's390x',
    platform: 's390x',
    title: 'WebAssembly, base compiler',
    arguments: ['--liftoff-only'],
    engines: ['simd', 'scalar'],
    files: named(primitives),
  },
  {
    ...emulated,
    id: 's390x-jitless',
    platform: 's390x',
    title: 'no engine at all',
    arguments: ['--jitless'],
    engines: [],
    files: named(),
  },
];

/** What a reader of the report should know. */
export const platformRemarks: readonly string[] = [
  "On s390x, V8's optimising compiler ends with a segmentation fault under emulation, so its base compiler runs alone.",
  'The faults that self-test plants are not planted there: the js engine, to which they lead, is little-endian.',
];
