/** One sentence for each operation, for readers of nothing else. */
import { middle } from '../results/statistics.ts';
import { perByte, type CaseView, type View } from '../results/view.ts';
import {
  engineCase,
  groupsOf,
  lengthOf,
  nanosecondsOf,
  oursIn,
  ratio,
  representative,
  rivalIn,
  type Group,
} from './groups.ts';
import { bytes, megabytesPerSecond, significant, times, withInterval } from './numbers.ts';
import { quietSentence } from './quiet.ts';

export interface Verdict {
  /** For example `ChaCha20, encrypt 64 KiB in Node 26.10`. */
  readonly subject: string;
  readonly sentence: string;
}

export const verdicts = (view: View): Verdict[] =>
  groupsOf(view, 'platforms').flatMap((group) => verdictOn(view, group) ?? []);

function verdictOn(view: View, group: Group): Verdict | undefined {
  const engine = view.principal;
  const contest = engine && representative(view, engine, group);
  if (!engine || !contest) return undefined;
  const cases = view.cases(engine, contest.id);
  const ours = oursIn(cases);
  if (!ours) return undefined;
  const over = (other: CaseView) => ratio(view, engine, contest.id, other.description.id, ours.description.id);

  const cycles = perByte(ours);
  const inUnit = (nanoseconds: number): string => `${megabytesPerSecond(ours.description.bytes, nanoseconds)} MB/s`;
  const speed = inUnit(nanosecondsOf(ours));
  const parts = [
    `${ours.description.id} does ${speed}` + (cycles ? `, about ${significant(middle(cycles))} cycles per byte.` : '.'),
  ];
  const scalar = engineCase(cases, 'scalar');
  const faster = scalar && ours.description.engine === 'simd' ? over(scalar) : undefined;
  if (faster && Math.abs(faster.value - 1) < ALIKE) parts.push('SIMD makes no difference.');
  else if (faster) {
    parts.push(`SIMD is ${withInterval(faster)} as fast as scalar WebAssembly${elsewhere(view, contest.id)}.`);
  }
  const best = rivalIn(cases, group);
  const lead = best && over(best);
  if (lead) {
    const { id } = best.description;
    parts.push(
      lead.high < 1
        ? `A rival, ${id}, is quicker: it takes ${withInterval(lead)} of our time.`
        : `The quickest rival, ${id}, takes ${withInterval(lead)} as long${lead.low > 1 ? '' : ', which this run cannot tell apart'}.`,
    );
  }
  const native = rivalIn(cases, group, ['native', 'platform']);
  const distance = native && over(native);
  if (distance) parts.push(`Native code, ${native.description.id}, takes ${withInterval(distance)} of our time.`);
  const counted = best
    ? quietSentence(view.sortedRatios(engine, contest.id, best.description.id, ours.description.id), times)
    : quietSentence(ours.sorted, inUnit);
  if (counted !== undefined) parts.push(counted);
  const subject = `${group.primitive}, ${group.operation} ${bytes(lengthOf(contest))} in ${engine.name}`;
  return { subject, sentence: parts.join(' ') };
}

/** A smaller difference is none. */
const ALIKE = 0.03;

/** The range of the speed-up over all engines. */
function elsewhere(view: View, contest: string): string {
  const found = view.engines.flatMap((engine) => {
    const ratios = view.ratios(engine, contest, 'lanewise scalar', 'lanewise simd');
    return ratios.length === 0 ? [] : [middle(ratios)];
  });
  if (found.length < 2) return '';
  return `; over ${found.length} engines, ${times(Math.min(...found))} to ${times(Math.max(...found))}`;
}
