/**
 * The drop-in packages: each takes the place of an original package in a program, with the original inside for all that is not ours.
 * A package has a line for each major version of the original whose paths and shapes differ.
 */
/** One published package: `npm pack` of its folder makes the tarball. */
export interface Line {
  /** The folder under packages/, and the published name after `@lanewise/`. */
  readonly package: string;
  /** The major version. */
  readonly major: number;
  /** The name of the package whose place it takes. */
  readonly original: string;
  /** The name under which this workspace has the original, whose files the build copies. */
  readonly alias: string;
  /** The version of the original that it takes the place of. */
  readonly takes: string;
  /** The first version of the original whose dependents run with it, where that is not the first of the major version. */
  readonly since?: string;
  /** The number of its releases for the same version of the original, but for the first. */
  readonly revision?: number;
  readonly modules: 'esm' | 'esm and cjs' | 'cjs';
  /** The files that users can require where the original has no `exports`; the first is the package itself, the others are the same. */
  readonly files?: readonly string[];
  /** The modules of both formats, where they are the whole package. Our sources are called `esm.ts` and `cjs.ts`. */
  readonly entries?: { readonly esm: string; readonly cjs: string };
  /**
   * Where the original keeps all that computes in a few modules of its own: their paths, by the names of our sources. All other files are
   * the original's, at their own paths, and import ours.
   */
  readonly within?: {
    readonly esm: Readonly<Record<string, string>>;
    readonly cjs: Readonly<Record<string, string>>;
    /** Whether the original's modules stay, in a folder `original` beside ours, which import them by the original's name. */
    readonly isOver?: boolean;
    /** Imports of files that don't exist, so that no program can have loaded the modules. */
    readonly mended: readonly { readonly file: string; readonly from: string; readonly to: string }[];
  };
  /** Other names under which the same original is published. */
  readonly others?: readonly string[];
}

/** The modules of libsodium-wrappers or its larger variant. */
const entriesIn = (folder: string): { esm: string; cjs: string } => ({
  esm: `dist/${folder}-esm/libsodium-wrappers.mjs`,
  cjs: `dist/${folder}/libsodium-wrappers.js`,
});

export const lines: readonly Line[] = [
  {
    package: 'noble-ciphers',
    original: '@noble/ciphers',
    alias: 'noble-ciphers-2',
    major: 2,
    takes: '2.4.0',
    modules: 'esm',
  },
  {
    package: 'noble-ciphers',
    original: '@noble/ciphers',
    alias: 'noble-ciphers-1',
    major: 1,
    takes: '1.3.0',
    modules: 'esm and cjs',
  },
  {
    package: 'noble-hashes',
    original: '@noble/hashes',
    alias: 'noble-hashes-2',
    major: 2,
    takes: '2.4.0',
    modules: 'esm',
  },
  {
    package: 'noble-hashes',
    original: '@noble/hashes',
    alias: 'noble-hashes-1',
    major: 1,
    takes: '1.8.0',
    modules: 'esm and cjs',
  },
  {
    package: 'tweetnacl',
    original: 'tweetnacl',
    alias: 'tweetnacl-1',
    major: 1,
    takes: '1.0.3',
    modules: 'cjs',
    files: ['nacl-fast', 'nacl', 'nacl-fast.min', 'nacl.min'],
  },
  {
    package: 'libsodium',
    original: 'libsodium-wrappers',
    alias: 'libsodium-wrappers-0',
    major: 0,
    takes: '0.8.4',
    since: '0.7.0',
    modules: 'esm and cjs',
    entries: entriesIn('modules'),
  },
  {
    package: 'libsodium-sumo',
    original: 'libsodium-wrappers-sumo',
    alias: 'libsodium-wrappers-sumo-0',
    major: 0,
    takes: '0.8.4',
    since: '0.7.0',
    modules: 'esm and cjs',
    entries: entriesIn('modules-sumo'),
  },
  {
    package: 'blake3-wasm',
    original: 'blake3-wasm',
    // The same, with native code for Node 17 and older.
    others: ['blake3'],
    alias: 'blake3-wasm',
    major: 2,
    takes: '2.1.5',
    modules: 'cjs',
    within: {
      esm: { browser: 'dist/wasm/browser/blake3_js.js', web: 'dist/wasm/web/blake3_js.js' },
      cjs: { nodejs: 'dist/wasm/nodejs/blake3_js.js' },
      mended: [
        { file: 'esm/index.js', from: `'./node.js'`, to: `'./node/index.js'` },
        { file: 'esm/node/hash-instance.js', from: `'stream.js'`, to: `'stream'` },
        { file: 'esm/node/wasm.js', from: 'let w;', to: `import * as w from '../../dist/wasm/nodejs/blake3_js.js';` },
        {
          file: 'esm/node/wasm.js',
          from: `    if (!w) {\n        w = require('../../dist/wasm/nodejs/blake3_js');\n    }\n`,
          to: '',
        },
      ],
    },
  },
  {
    package: 'blake3-jit',
    original: 'blake3-jit',
    alias: 'blake3-jit',
    major: 1,
    takes: '1.1.0',
    modules: 'esm',
    within: { esm: { index: 'dist/index.js' }, cjs: {}, mended: [] },
  },
  {
    package: 'blake3-jit',
    // A fork, on which Hugging Face's uploads depend.
    original: '@huggingface/blake3-jit',
    alias: '@huggingface/blake3-jit',
    major: 0,
    takes: '0.0.2',
    modules: 'esm and cjs',
    within: { esm: { index: 'dist/esm/index.js' }, cjs: { index: 'dist/commonjs/index.js' }, mended: [] },
  },
  {
    package: 'hash-wasm',
    original: 'hash-wasm',
    alias: 'hash-wasm',
    major: 4,
    takes: '4.13.0',
    modules: 'esm and cjs',
    within: { esm: { index: 'dist/index.esm.js' }, cjs: { index: 'dist/index.umd.js' }, isOver: true, mended: [] },
  },
];

/** A line for each name of an original. */
export const seats: readonly Line[] = lines.flatMap((line) => [
  line,
  ...(line.others ?? []).map((original) => ({ ...line, original })),
]);

/**
 * The number of a line: that of its original, with 400 added to the minor version, and the patch times 100. `2.4.0` gives `2.404.0`.
 * It satisfies the ranges of dependents as the original does, but no original has it and none satisfies `rangeOf`. npm needs that: it
 * judges by its version alone whether a package in a lockfile is the one that an override names, and would keep the original without a word.
 */
export function versionOf({ takes, revision = 0 }: Line): string {
  const [major, minor, patch] = takes.split('.').map(Number);
  return `${major}.${minor + 400}.${patch * 100 + revision}`;
}

/** The text that users write in place of a version. */
export const rangeOf = (line: Line): string => `^${versionOf(line)}`;

/** The text that users write after the key of an override. */
export const targetOf = (line: Line): string => `npm:@lanewise/${line.package}@${rangeOf(line)}`;
