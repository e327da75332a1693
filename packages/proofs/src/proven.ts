/**
 * PROVEN.md of the package: the SHA-256 of every module, the number of claims proved about it, and how to compare the
 * hashes with the installed package. `node packages/proofs/src/proven.ts` writes it when the library is packed.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { moduleFiles } from '../../lanewise/scripts/rooms.ts';
import { savedClaims } from './claims-golden.ts';
import { currentGolden, savedGolden } from './golden.ts';
import { hasClaims } from './unproven.ts';

const HEAD = `# What is proved about the bytes of this package

The kernels run as WebAssembly. Their bytes are in \`dist/*.js\` as text, and the same bytes are the files of \`dist/wasm\`. The
project's proofs run on the bytes of the built package: results for all inputs, constant time, bounds, wiping. A build from the
same sources gives the same bytes; so does every build of the same version.

To compare the installed files with this list:

\`\`\`sh
cd node_modules/lanewise/dist/wasm && sha256sum *.wasm
\`\`\`

Most texts are packed. The library unpacks them with a small module, which is itself in hexadecimal. This program, run in
\`node_modules/lanewise/dist\`, does the same for all texts, and prints the SHA-256 of the modules:

\`\`\`js
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';

const files = readdirSync('.').filter((name) => name.endsWith('.js'));
const code = files.map((name) => readFileSync(name, 'utf8')).join('');
const print = (bytes) => console.log(createHash('sha256').update(bytes).digest('hex'));
let unpacker;
for (const [, text] of code.matchAll(/"(0061736d01000000[0-9a-f]*)"/g)) {
  const bytes = Buffer.from(text, 'hex');
  print(bytes);
  const module = new WebAssembly.Module(bytes);
  if (WebAssembly.Module.exports(module).some(({ name }) => name === 'unpack')) unpacker = module;
}
for (const [, text] of code.matchAll(/"([^"]*#\`:a%\`R%###[^"]*)"/g)) {
  const { memory, unpack } = new WebAssembly.Instance(unpacker).exports;
  Buffer.from(memory.buffer).write(text, 2048, 'latin1');
  print(Buffer.from(memory.buffer, 32768, unpack()));
}
\`\`\`

Its output lacks the modules of vectors that have a \`-relaxed\` file beside them: where there is no relaxed SIMD, the library makes
them of those. For these few claims are counted: one is that each instruction computes the same as that of the \`-relaxed\` file,
so the claims about that file hold. Four of its lines are no kernels: the module that unpacks, and three of some 50 bytes that detect features.
`;

/** The row of every module. */
export function provenText(): string {
  const [published, proved, claims] = [currentGolden(), savedGolden(), savedClaims()];
  const rows = moduleFiles.flatMap(({ file, kernel }) => {
    if (!hasClaims(kernel)) return [];
    const { byteLength, sha256 } = published[kernel];
    if (proved[kernel]?.sha256 !== sha256)
      throw new Error(`${kernel}: its bytes are not those that were proved: npm run golden`);
    return `| \`${file}\` | ${byteLength} | ${Object.keys(claims[kernel] ?? {}).length} | \`${sha256}\` |`;
  });
  return [HEAD, '| file | bytes | claims proved | SHA-256 |', '| --- | --: | --: | --- |', ...rows, ''].join('\n');
}

if (import.meta.main) writeFileSync(join(import.meta.dirname, '../../lanewise/PROVEN.md'), provenText());
