// Claims about a text of the `js` engine, and about the public modules that run it, that need no execution.
import { typeText } from '../javascript/constant-time.ts';
import { parse } from '../javascript/parse.ts';
import { borrowFindingsIn } from '../lints/borrowing.ts';
import type { KernelText } from '../javascript/texts.ts';
import { proofsOf } from '../rooms.ts';
import { Failure, type Claim } from './claim.ts';
import { textNumbersClaim } from './public-numbers.ts';
import { requireVerdicts } from './verdicts.ts';

/** The constant-time typing, on all paths and for all lengths, without annotations: see javascript/constant-time.ts. */
const constantTime = ({ name, family, text }: KernelText): Claim => ({
  kernel: name,
  claim: 'constant time: no condition, index, address or count of a shift depends on a secret; it tells verdicts only',
  prove() {
    const { violations, ...results } = typeText(parse(text), proofsOf(family).secretAddresses);
    const [first] = violations;
    if (first) throw new Failure(`${violations.length} violations, the first: ${first.kind} in line ${first.line}`);
    requireVerdicts(results);
  },
});

/** Folders with code that the public modules of several rooms share. */
const SHARED = ['keystream', 'calls'];

/** The lint of the public modules that use a kernel: lints/borrowing.ts. */
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

/** The claims about a text, and about the modules that run it, that need no execution. */
export const textChecks = (text: KernelText): Claim[] => [constantTime(text), textNumbersClaim(text), borrowing(text)];
