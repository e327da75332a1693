/**
 * PROVEN.md of the package: the SHA-256 of every module, the number of claims proved about it, and how to compare the
 * hashes with the installed package. `node packages/proofs/src/proven.ts` writes it when the library is packed.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { moduleFiles } from '../../lanewise/scripts/rooms.ts';
import { savedClaims } from './claims-golden.ts';
import { currentGolden, savedGolden } from './golden.ts';

const HEAD = `# What is proved about the bytes of this package

The kernels run as WebAssembly. Their bytes are in \`dist/*.js\`, as hexadecimal text, and the same bytes are the files of \`dist/wasm\`.
The project's proofs run on the bytes of the built package: results for all inputs, constant time, bounds, wiping. A build from the
same sources gives the same bytes; so does every build of the same version.

To compare what is installed with this list:

\`\`\`sh
cd node_modules/lanewise/dist/wasm && sha256sum *.wasm
cd .. && cat *.js | grep -oE '0061736d01000000[0-9a-f]+' | sort -u | while read -r text; do printf %s "$text" | xxd -r -p | sha256sum; done
\`\`\`

The second list lacks the modules of vectors that have a \`-relaxed\` file beside them: where there is no relaxed SIMD, the library
makes them of those.
`;

/** The row of every module. */
export function provenText(): string {
  const [published, proved, claims] = [currentGolden(), savedGolden(), savedClaims()];
  const rows = moduleFiles.map(({ file, kernel }) => {
    const { byteLength, sha256 } = published[kernel];
    if (proved[kernel]?.sha256 !== sha256)
      throw new Error(`${kernel}: its bytes are not those that were proved: npm run golden`);
    return `| \`${file}\` | ${byteLength} | ${Object.keys(claims[kernel] ?? {}).length} | \`${sha256}\` |`;
  });
  return [HEAD, '| file | bytes | claims proved | SHA-256 |', '| --- | --: | --: | --- |', ...rows, ''].join('\n');
}

if (import.meta.main) writeFileSync(join(import.meta.dirname, '../../lanewise/PROVEN.md'), provenText());
