/** The results of pools in several places, compared with the right ones. */
import type { Checked } from './visit.ts';

/** Workers have worked; or the pool says why they do not. */
export type Expected = 'workers' | RegExp;

/** The fault, in words. */
function faultsOf({ failed, running, parallel, reason, answers }: Checked, expected: Expected): string[] {
  if (failed.length > 0) return [...failed];
  if (expected instanceof RegExp)
    return parallel || reason === undefined || !expected.test(reason)
      ? [`expected no workers because of ${String(expected)}, got ${running ?? 0} workers, ${reason}`]
      : [];
  // Servers do not count answers.
  return parallel && running && answers !== 0
    ? []
    : [`expected workers, got ${running} with ${answers} answers: ${reason}`];
}

export class Results {
  #count = 0;
  #failed = 0;
  readonly #missing: string[] = [];

  get missing(): number {
    return this.#missing.length;
  }

  /** Prints a line. */
  add(what: string, where: string, checked: Checked, expected: Expected, others: Partial<Checked> = {}): void {
    const faults = faultsOf(checked, expected);
    if (!checked.failed.length)
      for (const [name, value] of Object.entries(others)) {
        const found = checked[name as keyof Checked];
        if (found !== value) faults.push(`${name}: expected ${String(value)}, got ${String(found)}`);
      }
    const { running, answers, reason, engine } = checked;
    const workers = running ? `${running} workers${answers === undefined ? '' : `, ${answers} answers`}` : reason;
    this.#line(what, where, faults, `right, ${engine}; ${workers}`);
  }

  /** Prints a line about the sizes of two applications, the second may be `most` bytes larger. */
  addSizes(what: string, where: string, [first, second]: readonly number[], most: number): void {
    const faults = second > first + most ? [`${second - first} bytes more, expected at most ${most}`] : [];
    this.#line(what, where, faults, `${first} and ${second} bytes`);
  }

  #line(what: string, where: string, faults: readonly string[], right: string): void {
    this.#count++;
    if (faults.length > 0) this.#failed++;
    const found = faults.length > 0 ? `FAILED: ${faults.join('; ')}` : right;
    console.log(`${what.padEnd(34)}${where.padEnd(26)}${found}`);
  }

  /** Notes the places that could not be run. */
  miss(why: string): void {
    this.#missing.push(why);
  }

  /** Prints the sum; true if nothing has failed. */
  report(): boolean {
    if (this.#missing.length > 0) console.log(`\nNOT RUN:\n  ${this.#missing.join('\n  ')}`);
    console.log(`\n${this.#count} checks: ${this.#count - this.#failed} passed, ${this.#failed} failed`);
    return this.#failed === 0 && this.#count > 0;
  }
}
