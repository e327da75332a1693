// node --import ../src/certificate/hooks.ts certificate-damaged.ts DIR: writes the certificates of Poly1305's kernel, and of its text,
// with something wrong in the last step, each into a folder of its own; `right` has nothing wrong. Prints how many each folder has.
import { join } from 'node:path';
import * as i64 from '../../lanewise/src/wasm/i64.ts';
import type { Expression } from '../../lanewise/src/wasm/types.ts';
import { textOf } from '../src/javascript/texts.ts';
import { kernelOf } from '../src/kernels.ts';
import { edited } from '../src/mutations/patch.ts';
import { decode } from '../src/wasm/decode.ts';
import type { Instruction } from '../src/wasm/types.ts';
import { writeCertificates } from '../src/certificate/write.ts';
import { poly1305Claims, poly1305TextClaims } from '../src/rooms/poly1305/claims.ts';

const kernel = kernelOf('poly1305 scalar');
const text = textOf('poly1305');
const { functions } = decode(kernel.bytes);
const code = functions.flatMap((one) => one.code);
const before = '' as Expression<'i64'>;

/** The kernel with other code from its last constant `value` on that comes before `operator`; without one, for the constant alone. */
function damaged(value: bigint, operator: Instruction['op'] | undefined, other: string) {
  const at = code.findLastIndex(
    (one, i) => 'value' in one && one.value === value && (!operator || code[i + 1].op === operator),
  );
  const [from, to] = [code[at].at, code[at + (operator ? 2 : 1)].at];
  const bytes = edited(kernel.bytes, functions, [{ at: from, removed: to - from, code: other }]);
  return poly1305Claims({ ...kernel, bytes });
}

function damagedText(part: string, other: string) {
  if (!text.text.includes(part)) throw new Error(`the text has no ${part}`);
  return poly1305TextClaims({ ...text, text: text.text.replace(part, other) });
}

const cases = {
  right: () => poly1305Claims(kernel),
  '4 for 5 that is added': () => damaged(5n << 32n, undefined, i64.value(4n << 32n)),
  '4 for 5 that is multiplied': () => damaged(5n, 'i64.mul', i64.mul(before, 4n)),
  'bit 131 for bit 130': () => damaged(2n, 'i64.shr_u', i64.shr_u(before, 3n)),
  'no carry': () => damaged(32n, 'i64.shl', i64.shl(before, 33n)),
  'text: right': () => poly1305TextClaims(text),
  'text: 4 for 5': () => damagedText('x6 = 5;', 'x6 = 4;'),
};

const [folder] = process.argv.slice(2);
const counts: Record<string, number> = {};
for (const [name, claims] of Object.entries(cases)) {
  const one = claims().find(({ claim }) => claim.endsWith(': 16 bytes, every key and message'))!;
  counts[name] = (await writeCertificates([one], join(folder, name))).certificates.length;
}
console.log(JSON.stringify(counts));
