/** What an application pays in bytes for what it imports. */
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const root = dirname(import.meta.dirname);

interface Budget {
  what: string;
  /** The module that is bundled. */
  code: string;
  /** Bytes, minified and gzipped: more than that fails. */
  limit: number;
  /** What it ought to be, where it is not yet. */
  target?: number;
  /** Where its imports resolve from: the installed package, or the sources. */
  from: 'package' | 'sources';
  /** Marks of code that must be in the bundle, and of code that tree shaking must have left out. */
  has?: RegExp[];
  hasNot?: RegExp[];
}

/** "expa", the first word of every ChaCha state, as the number or as the text. */
const chacha = /0x61707865|\b1634760805\b|expa/;

/** A program that keeps all that a folder's modules export, without paying for the names. */
async function everyExport(folder: string): Promise<string> {
  const lines = readdirSync(join(root, folder)).map(async (file, i) => {
    const names = Object.keys((await import(join(root, folder, file))) as object);
    const imports = names.map((name) => `${name} as ${name}${i}`);
    return `import { ${imports.join()} } from './${folder}/${file}'; keep(${names.map((name) => name + String(i)).join()});`;
  });
  return (await Promise.all(lines)).join('\n');
}

const budgets: Budget[] = [
  {
    what: 'XChaCha20-Poly1305, three engines',
    code: `export { xchacha20poly1305 } from 'lanewise/chacha.js';`,
    limit: 11_400,
    target: 10_000,
    from: 'package',
    has: [chacha],
  },
  {
    what: 'Poly1305 alone',
    code: `export { poly1305 } from 'lanewise/poly1305.js';`,
    limit: 5_800,
    from: 'package',
    hasNot: [chacha],
  },
  {
    what: 'BLAKE3, three engines',
    code: `export { blake3 } from 'lanewise/blake3.js';`,
    limit: 10_900,
    target: 9_000,
    from: 'package',
    hasNot: [chacha],
  },
  {
    what: 'secretbox, three engines',
    code: `export { secretbox } from 'lanewise/salsa.js';`,
    limit: 11_200,
    target: 10_000,
    from: 'package',
    has: [chacha],
  },
  {
    what: 'Serpent CTR, three engines',
    code: `export { ctr } from 'lanewise/serpent.js';`,
    limit: 9_200,
    from: 'package',
    hasNot: [chacha],
  },
  {
    what: 'Adiantum, three engines',
    code: `export { adiantum } from 'lanewise/disk.js';`,
    limit: 20_600,
    from: 'package',
    has: [chacha],
  },
  {
    what: 'the assembler alone',
    code: await everyExport('src/wasm'),
    limit: 2_500,
    from: 'sources',
  },
];

/** `installed` is a folder whose node_modules holds the packed library. Prints a table; true when all is within budget. */
export async function checkSize(installed: string): Promise<boolean> {
  let ok = true;
  for (const { what, code, limit, target = limit, from, has = [], hasNot = [] } of budgets) {
    const { outputFiles } = await build({
      stdin: { contents: code, resolveDir: from === 'package' ? installed : root },
      bundle: true,
      minify: true,
      format: 'esm',
      target: 'es2022',
      write: false,
      logLevel: 'warning',
    });
    const { contents, text } = outputFiles[0];
    const size = gzipSync(contents, { level: 9 }).length;
    const faults = [
      ...(size > limit ? ['over budget'] : []),
      ...has.filter((mark) => !mark.test(text)).map((mark) => `lacks ${mark.source}`),
      ...hasNot.filter((mark) => mark.test(text)).map((mark) => `contains ${mark.source}`),
    ];
    const missed = size > target ? `, but the target of ${target} is missed` : '';
    const verdict = (faults.join(', ') || 'ok') + missed;
    console.log(`${what.padEnd(36)} ${String(size).padStart(6)} of ${String(limit).padStart(6)} bytes  ${verdict}`);
    ok &&= faults.length === 0;
  }
  return ok;
}

if (import.meta.main) {
  // On its own: the package as it stands in the workspace, built but not packed.
  if (!(await checkSize(join(root, '../..')))) process.exitCode = 1;
}
