/** The program for hosts with a console: Node, Bun and Hermes. It prints each sample on a line of its own. */
import { clockOf, kept, samples, type Plan } from './measure.ts';

declare const PLAN: Plan;
/** Hermes has neither a console nor `performance`. */
declare const print: ((line: string) => void) | undefined;

const say = typeof print === 'function' ? print : (line: string): void => console.log(line);
const clock = clockOf(typeof performance === 'object' ? () => performance.now() : () => Date.now());
say(JSON.stringify({ step: clock.step }));
for (const sample of samples(PLAN, clock)) say(JSON.stringify(sample));
if (kept === undefined) throw new Error('nothing was timed');
