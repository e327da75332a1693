/** The comparison of tags, timed; and one that stops at the first difference, which must be found. */
import { equalBytes } from '../../../src/utils.ts';
import { tagged, type Target } from '../../support/timing.ts';

const [tag, other] = [new Uint8Array(16), new Uint8Array(16)];
const [longTag, longOther] = [new Uint8Array(1024), new Uint8Array(1024)];
/** The result is used, so that no engine omits the comparison. */
const answers = { equal: false };

/** A comparison that leaks: it stops at the first difference. The test must find it. */
function leaks(a: Uint8Array, b: Uint8Array): boolean {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

/** Throws if tags that differ were found equal. */
export function check(): void {
  if (answers.equal) throw new Error('a wrong tag was found equal');
}

export const targets: readonly Target[] = [
  tagged('equalBytes', tag, false, () => {
    answers.equal ||= equalBytes(tag, other);
  }),
  tagged('equalBytes, 1 KiB', longTag, false, () => {
    answers.equal ||= equalBytes(longTag, longOther);
  }),
  tagged('control: stops at a difference', longTag, false, () => {
    answers.equal ||= leaks(longTag, longOther);
  }),
];
