/**
 * A proof for Coq of a last step: for each operation its value without a modulus, by the bounds of its operands, and for each division
 * its quotient and remainder. All that is linear, so `lia` does the rest. Whatever is wrong here, Coq refuses.
 */
import type { Expression } from '../smt/expression.ts';
import { MOST_TOP } from '../rooms/poly1305/reduction.ts';
import type { LastStep } from './recording.ts';
import { extraction, type Definition, type Statement } from './statement.ts';

const power = (exponent: number | bigint): bigint => 1n << BigInt(exponent);

class Script {
  readonly lines: string[] = [];
  readonly #statement: Statement;
  /** The most that each expression can be. */
  readonly #most = new Map<Expression, bigint>();
  readonly #divisions = new Map<string, string>();
  /** Operations on numbers alone, such as counts of shifts. */
  readonly #values = new Map<Expression, bigint>();

  constructor(statement: Statement, { h, s }: LastStep) {
    this.#statement = statement;
    const words = [...h, ...(s ?? [])];
    this.lines.push(
      `  intros ${[...words.map((word) => this.#name(word)), ...words.map((word) => this.#bound(word)), 'T'].join(' ')}.`,
    );
    // Not `unfold`, which would write out the definitions of the goal.
    this.lines.push(`  cbv beta delta [is_word] in ${words.map((word) => this.#bound(word)).join(', ')}.`);
    for (const word of words) this.#most.set(word, power(32) - 1n);
    this.#most.set(h[4], BigInt(MOST_TOP));
    this.lines.push(`  assert (B : 0 <= h4 <= ${MOST_TOP}) by lia. clear Bh4 T. rename B into Bh4.`);
    statement.definitions.forEach((definition) => this.#define(definition));
  }

  #valueOf(x: Expression): bigint | undefined {
    return x.op === 'const' ? x.value : this.#values.get(x);
  }

  #name(x: Expression): string {
    return String(this.#valueOf(x) ?? this.#statement.nameOf(x));
  }

  /** The hypothesis about the bounds of an expression. */
  #bound(x: Expression): string {
    return this.#valueOf(x) === undefined ? `B${this.#name(x)}` : '';
  }

  #mostOf(x: Expression): bigint {
    return this.#valueOf(x) ?? this.#most.get(x)!;
  }

  /** A number for the quotient and the remainder of a division by 2^bits. */
  division(of: string, bounds: string, bits: number): string {
    const key = `${of} ${bits}`;
    let n = this.#divisions.get(key);
    if (n === undefined) {
      n = String(this.#divisions.size);
      this.#divisions.set(key, n);
      this.lines.push(
        `  destruct (division (${of}) (2 ^ ${bits}) ltac:(clear; lia) ltac:(clear - ${bounds}; lia)) as (q${n} & r${n} & Q${n} & R${n} & D${n} & L${n} & P${n}).`,
      );
    }
    return n;
  }

  /** The part of a node that goes above a modulus or below a shift is this division's. */
  #divided(x: Expression, bits: number): string {
    return this.division(this.#name(x), this.#bound(x), bits);
  }

  #define({ name, node }: Definition): void {
    this.lines.push(`  intro ${name}.`);
    const values = node.args.map((arg) => this.#valueOf(arg));
    if (values.every((value) => value !== undefined)) {
      this.#constant(name, node, node.compute(...values));
      return;
    }
    const [x, y] = node.args;
    const [valueX, valueY] = values;
    const part = extraction(node);
    const fits = (most: bigint): boolean => most < power(node.width);
    if (part) {
      this.#extract(name, node, part);
      return;
    }
    const [a, b] = node.args.map((arg) => this.#name(arg));
    const bounds = node.args.map((arg) => this.#bound(arg)).join(' ');
    const lia = `clear - ${bounds}; lia`;
    switch (node.op) {
      case 'bvadd':
      case 'bvmul': {
        const [verb, sign] = node.op === 'bvadd' ? ['add', '+'] : ['mul', '*'];
        const [mostX, mostY] = [this.#mostOf(x), this.#mostOf(y)];
        const most = sign === '+' ? mostX + mostY : mostX * mostY;
        if (fits(most)) {
          this.#known(name, node, `${a} ${sign} ${b}`, `apply ${verb}_exact; ${lia}`, bounds, most);
          return;
        }
        this.#wrapped(name, node, `${a} ${sign} ${b}`, bounds);
        return;
      }
      case 'bvshl': {
        const most = this.#mostOf(x) << valueY!;
        if (fits(most)) {
          this.#known(name, node, `${a} * 2 ^ ${b}`, `apply shl_exact; ${lia}`, bounds, most);
          return;
        }
        this.#wrapped(name, node, `${a} * 2 ^ ${b}`, bounds);
        return;
      }
      case 'bvlshr': {
        const n = this.#divided(x, Number(valueY));
        this.#known(name, node, `q${n}`, `exact Q${n}`, `${bounds} D${n} L${n} P${n}`, this.#mostOf(x) >> valueY!);
        return;
      }
      case 'bvand': {
        const [value, mask] = valueX === undefined ? [x, valueY!] : [y, valueX];
        const bits = mask.toString(2).length;
        const n = this.#divided(value, bits);
        const turn = valueX === undefined ? '' : 'unfold bitand; rewrite Z.land_comm; ';
        const proof = `${turn}rewrite <- R${n}; apply (bitand_low _ ${bits}); clear; lia`;
        this.#known(name, node, `r${n}`, proof, `L${n}`, power(bits) - 1n);
        return;
      }
      default: {
        this.#concat(name, node, bounds);
        return;
      }
    }
  }

  #constant(name: string, node: Expression, value: bigint): void {
    this.#values.set(node, value);
    this.lines.push(`  assert (E${name} : ${name} = ${value}) by reflexivity. clearbody ${name}. subst ${name}.`);
  }

  /** The operation equals `is`, and so has a bound. */
  #known(name: string, node: Expression, is: string, proof: string, bounds: string, most: bigint): void {
    this.#most.set(node, most);
    this.lines.push(
      `  assert (E${name} : ${name} = ${is}) by (unfold ${name}; ${proof}). clearbody ${name}.`,
      `  assert (B${name} : 0 <= ${name} <= ${most}) by (clear - E${name} ${bounds}; lia).`,
    );
  }

  #wrapped(name: string, node: Expression, of: string, bounds: string): void {
    const n = this.division(of, bounds, node.width);
    this.#known(name, node, `r${n}`, `exact R${n}`, `L${n}`, power(node.width) - 1n);
  }

  #extract(name: string, node: Expression, { from, width }: { from: number; width: number }): void {
    const [x] = node.args;
    if (width === 8) {
      // A byte alone is not needed: with the one beside it, it is a half of a word.
      const most = power(8) - 1n;
      this.#most.set(node, most);
      this.lines.push(
        `  assert (E${name} : ${name} = extract ${from} 8 ${this.#name(x)}) by reflexivity. clearbody ${name}.`,
        `  assert (B${name} : 0 <= ${name} <= ${most}) by (rewrite E${name}; apply byte_bounds).`,
      );
    } else if (from === 0) {
      const n = this.#divided(x, width);
      this.#known(name, node, `r${n}`, `rewrite extract_low; exact R${n}`, `L${n}`, power(width) - 1n);
    } else {
      const n = this.#divided(x, from);
      const facts = `${this.#bound(x)} D${n} L${n} P${n}`;
      const proof = `rewrite extract_high; [exact Q${n} | rewrite Q${n}; clear - ${facts}; lia]`;
      this.#known(name, node, `q${n}`, proof, facts, this.#mostOf(x) >> BigInt(from));
    }
  }

  /** The operand of bytes 0 and 1, if these are two such. */
  halfOf(high: Expression, low: Expression): Expression | undefined {
    const [above, below] = [extraction(high), extraction(low)];
    const isHalf = above?.from === 8 && above.width === 8 && below?.from === 0 && below.width === 8;
    return isHalf && high.args[0] === low.args[0] ? high.args[0] : undefined;
  }

  /** Writes two bytes out again. */
  #bytes(high: Expression, low: Expression): string {
    return `rewrite E${this.#name(high)}, E${this.#name(low)}`;
  }

  #concat(name: string, node: Expression, bounds: string): void {
    const [high, low] = node.args;
    const half = this.halfOf(high, low);
    if (half) {
      const n = this.#divided(half, 16);
      this.#known(
        name,
        node,
        `r${n}`,
        `${this.#bytes(high, low)}; rewrite <- R${n}; apply two_bytes`,
        `L${n}`,
        power(16) - 1n,
      );
      return;
    }
    if (low.width === 24 && low.op === 'concat') {
      const above = this.halfOf(high, low.args[0]);
      if (above) {
        const n = this.#divided(above, 16);
        const rest = this.#name(low.args[1]);
        const proof = `rewrite E${this.#name(low)}; ${this.#bytes(high, low.args[0])}; rewrite <- R${n}; apply two_bytes_above`;
        this.#known(name, node, `r${n} * 2 ^ 16 + ${rest}`, proof, `L${n} ${this.#bound(low.args[1])}`, power(32) - 1n);
        return;
      }
    }
    const is = `${this.#name(high)} * 2 ^ ${low.width} + ${this.#name(low)}`;
    const most = (this.#mostOf(high) << BigInt(low.width)) + this.#mostOf(low);
    this.#known(name, node, is, 'reflexivity', bounds, most);
    return undefined;
  }

  /** The carry above the most significant word of the tag. */
  lost(word: Expression): string {
    const part = extraction(word);
    if (part?.from === 0) return `q${this.#divided(word.args[0], part.width)}`;
    const half =
      word.op === 'concat' && word.args[1].op === 'concat'
        ? this.halfOf(word.args[0], word.args[1].args[0])
        : undefined;
    return half ? `q${this.#divided(half, 16)}` : '0';
  }
}

/** The operand that the step multiplies by 5: h divided by p, which a proof has to know. */
function multipliedBy5({ definitions, nameOf }: Statement): string {
  for (const { node } of definitions) {
    if (node.op !== 'bvmul') continue;
    const [x, y] = node.args;
    if (y.op === 'const' && y.value === 5n) return nameOf(x);
    if (x.op === 'const' && x.value === 5n) return nameOf(y);
  }
  return '0';
}

export function scriptOf(statement: Statement, step: LastStep): string {
  const script = new Script(statement, step);
  const quotient = multipliedBy5(statement);
  const carry = script.lost(step.tag[3]);
  return [
    ...script.lines,
    '  unfold number.',
    `  apply last_step with (g := ${quotient}) (rest := (h0 + 2 ^ 32 * h1 + 2 ^ 64 * h2 + 2 ^ 96 * h3 + 2 ^ 128 * h4) + 5 - 2 ^ 130 * ${quotient}) (k := h4 + ${carry}).`,
    ...['unfold p', 'idtac', 'idtac', 'idtac', 'idtac'].map((first) => `  - ${first}; lia.`),
  ].join('\n');
}
