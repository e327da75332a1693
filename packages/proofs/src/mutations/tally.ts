/** Verdicts over many mutants of a kernel, counted. */
import type { Verdict } from './judge.ts';
import type { Flip } from './mutants.ts';

export class Tally {
  readonly gaps: { readonly flip: Flip; readonly what: string }[] = [];
  readonly equal: Flip[] = [];
  readonly #counts = new Map<string, number>();

  add(flip: Flip, verdict: Verdict): void {
    const { fate } = verdict;
    this.#count(fate);
    if (fate === 'killed') this.#count(`by ${verdict.by}`);
    if (fate === 'explained') this.#count(verdict.reason);
    if (fate === 'equal') this.equal.push(flip);
    if (fate === 'gap') this.gaps.push({ flip, what: verdict.what });
  }

  #count(key: string): void {
    this.#counts.set(key, this.of(key) + 1);
  }

  of(key: string): number {
    return this.#counts.get(key) ?? 0;
  }

  get tried(): number {
    return this.of('killed') + this.of('explained') + this.of('equal') + this.of('gap');
  }

  /** For example `57 mutants: 45 killed (3 by lint, 42 by claim), 11 explained (2 shift count, 9 scratch), 1 equal, 0 gaps`. */
  toString(): string {
    const details = (keys: readonly string[]): string => {
      const counted = keys.filter((key) => this.of(key) > 0).map((key) => `${this.of(key)} ${key}`);
      return counted.length > 0 ? ` (${counted.join(', ')})` : '';
    };
    const by = [...this.#counts.keys()].filter((key) => key.startsWith('by '));
    const fates = ['unfit', 'killed', 'explained', 'equal', 'gap'];
    const reasons = [...this.#counts.keys()].filter((key) => !by.includes(key) && !fates.includes(key));
    return (
      `${this.tried} mutants: ${this.of('killed')} killed${details(by)}, ` +
      `${this.of('explained')} explained${details(reasons)}, ${this.of('equal')} equal, ${this.of('gap')} gaps`
    );
  }
}
