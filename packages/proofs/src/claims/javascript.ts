// Claims about the `js` engine: about the text of its generated files, the same that are made about modules.
import { typeText } from '../javascript/constant-time.ts';
import { parse } from '../javascript/parse.ts';
import { borrowFindingsIn } from '../lints/borrowing.ts';
import { onText } from '../javascript/runner.ts';
import type { KernelText } from '../javascript/texts.ts';
import { PolynomialDoubles } from '../polynomials/doubles.ts';
import { aeadTextClaims } from './aead.ts';
import { blake3Statements } from './blake3.ts';
import { chachaStatements } from './chacha.ts';
import { Failure, type Claim } from './claim.ts';
import { diskTextClaims } from './disk.ts';
import { poly1305TextClaims } from './poly1305.ts';
import { textNumbersClaim } from './public-numbers.ts';
import type { RunnableKernel } from './runnable.ts';
import { secretboxTextClaims } from './secretbox.ts';
import { statementsOf } from './serpent.ts';
import { requireVerdicts } from './verdicts.ts';

/** On all paths, for all lengths, without annotations: see javascript/constant-time.ts. */
const constantTime = ({ name, text }: KernelText): Claim => ({
  kernel: name,
  claim: 'constant time: no condition, index, address or count of a shift depends on a secret; it tells verdicts only',
  prove() {
    const { violations, ...results } = typeText(parse(text));
    const [first] = violations;
    if (first) throw new Failure(`${violations.length} violations, the first: ${first.kind} in line ${first.line}`);
    requireVerdicts(results);
  },
});

/** What the modules of several rooms are made of. */
const SHARED = ['keystream', 'calls'];

/** Of the public modules that use a kernel: lints/borrowing.ts. */
const borrowing = ({ name, room }: KernelText): Claim => ({
  kernel: name,
  claim: 'lints: public modules wipe behind themselves on no condition, and whether they return or throw',
  prove() {
    const [first, ...others] = [room, ...SHARED].flatMap(borrowFindingsIn);
    if (!first) return;
    const more = others.length ? `, and ${others.length} more` : '';
    throw new Failure(`${first.file}, line ${first.line}: ${first.message}${more}`);
  },
});

/** What is read off a text, and off the modules that run it, without running them. */
export const textChecks = (text: KernelText): Claim[] => [constantTime(text), textNumbersClaim(text), borrowing(text)];

/** One kernel takes messages of all lengths here, and words are at multiples of four. */
export function equivalenceClaims(text: KernelText): Claim[] {
  const withDoubles = (): RunnableKernel => onText(text, () => new PolynomialDoubles());
  switch (text.family) {
    case 'chacha':
      return [
        ...chachaStatements(withDoubles(), { lanes: false, short: false, aligned: true }),
        ...aeadTextClaims(text),
      ];
    case 'secretbox':
      return secretboxTextClaims(text, withDoubles());
    case 'poly1305':
      return poly1305TextClaims(text);
    case 'blake3':
      return blake3Statements(onText(text), { lanes: false });
    case 'serpent':
    case 'serpent-ctr':
      return statementsOf(text.family, onText(text), { lanes: false, text: true });
    case 'disk':
      return diskTextClaims(text);
  }
}
