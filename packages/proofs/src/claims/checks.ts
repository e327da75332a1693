// Claims about a kernel's bytes that need no execution: constant time on all paths and for all lengths, the lints, and that
// the bytes are those of golden.json.
import { describeViolation, typeModule } from '../constant-time/typing.ts';
import { savedGolden, sha256 } from '../golden.ts';
import type { Kernel } from '../kernels.ts';
import { lint } from '../lints/lint.ts';
import { decode } from '../wasm/decode.ts';
import { proofsOf } from '../rooms.ts';
import { Failure, require, type Claim } from './claim.ts';
import { numbersClaim } from './public-numbers.ts';
import { requireVerdicts } from './verdicts.ts';

export function checkClaims(kernel: Kernel): Claim[] {
  const claim = (text: string, prove: () => void): Claim => ({ kernel: kernel.name, claim: text, prove });
  return [
    claim('golden: the bytes that were last looked at', () => {
      const golden = savedGolden()[kernel.name];
      require(golden?.sha256 === sha256(kernel.bytes), () => 'the bytes are not those of golden.json');
    }),
    claim('lints: instructions, unsigned comparisons, memory, offsets, sizes, interface', () => {
      const [first, ...others] = lint(kernel);
      if (first) throw new Failure(`${first.message}${others.length ? `, and ${others.length} more` : ''}`);
    }),
    claim('constant time: all paths, all lengths; of secrets it tells verdicts only', () => {
      const { violations, ...results } = typeModule(decode(kernel.bytes), proofsOf(kernel.family).secretAddresses);
      const [first, ...others] = violations;
      if (first) throw new Failure(`${describeViolation(first)}${others.length ? `, and ${others.length} more` : ''}`);
      requireVerdicts(results);
    }),
    numbersClaim(kernel),
  ];
}
