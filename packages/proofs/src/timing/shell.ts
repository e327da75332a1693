/** The program for hosts with a console: Node, Bun and Hermes. It prints each sample on a line of its own. */
import { said, type Plan } from './measure.ts';

declare const PLAN: Plan;
/** Hermes has neither a console nor `performance`. */
declare const print: ((line: string) => void) | undefined;

const say = typeof print === 'function' ? print : (line: string): void => console.log(line);
const now = typeof performance === 'object' ? () => performance.now() : () => Date.now();
for (const line of said(PLAN, now)) say(JSON.stringify(line));
