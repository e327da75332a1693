/** The rules of imports between files: a forbidden import is planted in each kind of file, and lint must refuse it. */
// Runs in Node only: about imports, which lint looks at.
import { ESLint } from 'eslint';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import tseslint from 'typescript-eslint';
import { describe, expect, it } from 'vitest';
import { rooms } from '../../../../eslint.rooms.ts';

const root = join(import.meta.dirname, '../../../..');
const src = join(root, 'packages/lanewise/src');

/** Only the rules of this test: the whole configuration needs types and is another command's matter. */
const eslint = new ESLint({
  cwd: root,
  overrideConfigFile: true,
  overrideConfig: [
    {
      files: ['**/*.ts'],
      languageOptions: { parser: tseslint.parser },
      plugins: { '@typescript-eslint': tseslint.plugin },
    },
    ...rooms,
  ],
});

async function refusals(file: string, text: string, rule = 'no-restricted-imports'): Promise<string[]> {
  const [result] = await eslint.lintText(text, { filePath: join(src, file) });
  return result.messages.filter(({ ruleId }) => ruleId?.endsWith(rule)).map(({ message }) => message);
}

/** A file of each kind, and an import that it must not have. */
const planted: readonly (readonly [file: string, specifier: string])[] = [
  ['keystream/map.ts', '../wasm/i32.ts'],
  ['blake3/map.ts', './kernel.ts'],
  ['serpent/map.ts', '../calls/checks.ts'],
  ['chacha/rounds.ts', '../wasm/i32.ts'],
  ['serpent/rounds.ts', './kernel.ts'],
  ['serpent/boxes.ts', '../engine/intrinsics.ts'],
  ['aes/circuit.ts', '../wasm/v128.ts'],
  ['keystream/core.ts', '../calls/checks.ts'],
  ['chacha/rows.ts', '../engine/instance.ts'],
  ['chacha/module.ts', './binding.ts'],
  ['blake3/lanes.ts', '../calls/checks.ts'],
  ['poly1305/floats.ts', './mac.ts'],
  ['disk/nh-kernel.ts', './pages.ts'],
  ['aes/kernel.ts', '../chacha.ts'],
  ['chacha/binding.ts', '../chacha.ts'],
  ['serpent/ctr-binding.ts', '../wasm/i32.ts'],
  ['blake3/binding.ts', '../chacha/module.ts'],
  ['chacha/aead.ts', './module.ts'],
  ['chacha/aead.ts', '../keystream/kernel.ts'],
  ['blake3/hasher.ts', './lanes.ts'],
  ['disk/pages.ts', '../chacha/binding.ts'],
  ['serpent/ctr.ts', '../wasm/module.ts'],
  ['poly1305/mac.ts', '../js/generated/poly1305.ts'],
  ['chacha.ts', './chacha/binding.ts'],
  ['index.ts', './chacha/aead.ts'],
  ['blake3.ts', './blake3/kernel.ts'],
  ['disk.ts', './disk/map.ts'],
  ['chacha/aead.ts', './generated-bytes.ts'],
  ['chacha.ts', './chacha/generated-bytes.ts'],
  ['utils.ts', './wasm/i32.ts'],
  ['wasm/module.ts', '../words/machine.ts'],
  ['words/locals.ts', '../chacha/rounds.ts'],
  ['chacha/binding.ts', './module.ts'],
  ['engine/detect.ts', '../wasm/module.ts'],
  ['engine/detect.ts', './probe-modules.ts'],
  ['engine/bytes.ts', './unpacker-module.ts'],
  ['engine/instance.ts', '../chacha/map.ts'],
  ['engine/instance.ts', '../calls/checks.ts'],
  ['calls/checks.ts', '../chacha/map.ts'],
  ['calls/checks.ts', '../work/threads.ts'],
  ['work/threads.ts', '../io/handles.ts'],
  ['io/source.ts', '../stream.ts'],
  ['io/source.ts', './node-file.ts'],
  ['io/node-file.ts', '../blake3.ts'],
  ['pool/crew.ts', '../scrypt.ts'],
  ['pool/serve.ts', '../disk/jobs.ts'],
  ['pool/handle.ts', '../blake3/jobs.ts'],
];

describe('an import that the name of the file forbids', () => {
  it.each(planted)('%s of %s', async (file, specifier) => {
    expect(existsSync(join(src, file)), file).toBe(true);
    expect(await refusals(file, `import { x } from '${specifier}';\nexport { x };\n`)).toHaveLength(1);
  });

  it('types of a module, but no values, are open to what callers use', async () => {
    expect(await refusals('chacha/aead.ts', `import type { Functions } from './module.ts';\n`)).toEqual([]);
    expect(await refusals('chacha/aead.ts', `export { chachaModule } from './module.ts';\n`)).toHaveLength(1);
  });
});

describe('imports that form a circle', () => {
  /** Imports that the name of the file allows. */
  const circles: readonly (readonly [file: string, planted: string, message: string])[] = [
    ['blake3/parallel.ts', `import type { Pool } from '../pool.ts';`, 'pool.ts leads back to blake3'],
    ['disk/file.ts', `export type { Pool } from '../pool.ts';`, 'pool.ts leads back to disk'],
    ['scrypt/jobs.ts', `export const pool = () => import('../pool.ts');`, 'pool.ts leads back to scrypt'],
    ['chacha/aead.ts', `export type Aead = import('../chacha.ts').Aead;`, 'chacha.ts leads back to chacha'],
    ['poly1305/room.ts', `import { sized } from '../keystream/room.ts';`, 'keystream leads back to poly1305'],
    ['disk/tweak.ts', `import './pages.ts';`, 'disk/pages.ts leads back to disk/tweak.ts'],
    ['scrypt/map.ts', `import './map.ts';`, 'scrypt/map.ts leads back to scrypt/map.ts'],
  ];

  it.each(circles)('%s: %s', async (file, planted, message) => {
    const text = readFileSync(join(src, file), 'utf8');
    expect(await refusals(file, text, 'no-circle')).toEqual([]);
    const found = await refusals(file, `${planted}\n${text}`, 'no-circle');
    expect(found).toContain(`${message}: imports must have no circle (ARCHITECTURE.md).`);
  });
});

it('no file imports what its name forbids, and each file is of a kind', async () => {
  const files = globSync('**/*.ts', { cwd: src }).filter((file) => !/^js.generated/.test(file));
  expect(files.length).toBeGreaterThan(100);
  for (const file of files) {
    // Every kind allows some imports and not all: nothing may import a script.
    const path = relative(join(src, file, '..'), join(src, '../scripts/build.ts')).replaceAll('\\', '/');
    // Its imports alone are parsed: the rest takes seconds, and `npm run lint` reads it, too.
    const imports =
      readFileSync(join(src, file), 'utf8').match(/^(?:import\b|export (?:type )?[*{])[^;]*?'[^']+';$/gm) ?? [];
    expect(await refusals(file, `import '${path}';\n${imports.join('\n')}`), file).toHaveLength(1);
  }
});
