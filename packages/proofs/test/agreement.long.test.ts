/**
 * The machine agrees with the engine on every instruction: small programs, and random ones, run by V8, by the machine
 * on constants, and by the machine on variables whose values are put in afterwards. A proof is worth as much as this.
 */
import { describe, expect, it } from 'vitest';
import { decode } from '../src/wasm/decode.ts';
import { OPCODES } from '../src/wasm/opcodes.ts';
import { followingPrograms } from './agreement-follow.ts';
import { opcodePrograms, type Program } from './agreement-opcodes.ts';
import { randomProgram } from './agreement-random.ts';
import {
  byEngine,
  followingInputs,
  onConstants,
  onVariables,
  randomInput,
  type Input,
  type Outcome,
} from './agreement-run.ts';
import { generator } from './terms-random.ts';

const INPUTS = 60;
/** Runs on constants set up all of memory each time: some of the inputs are enough. */
const CONSTANT_INPUTS = 6;
/** A timeout for a busy machine. */
const TIMEOUT = 300_000;
const RANDOM_PROGRAMS = 400;
/** Another one with LANEWISE_SEED, which a failure names. */
const SEED = Number(process.env['LANEWISE_SEED'] ?? 1);

const programs = opcodePrograms();

type Way = (program: Program, inputs: readonly Input[]) => Outcome[];

const WAYS: Readonly<Record<string, Way>> = {
  'on constants': (program, inputs) => onConstants(program, inputs.slice(0, CONSTANT_INPUTS)),
  'on variables': onVariables,
};

/** The differences between the machine's and the engine's results of a program, on random inputs. */
async function disagreements(program: Program, seed: number, ways = WAYS): Promise<string[]> {
  const random = generator(seed);
  const inputs = Array.from({ length: INPUTS }, () => randomInput(random));
  const engine = await byEngine(program, inputs);
  return Object.entries(ways).flatMap(([way, run]) =>
    run(program, inputs).flatMap(({ memory, events }, i) => {
      const at = memory.findIndex((byte, address) => byte !== engine[i][address]);
      if (at < 0 && events.length === 0) return [];
      return [`${program.name} ${way}, seed ${seed}, input ${i}: ${memory[at]} at ${at} instead of ${engine[i][at]}`];
    }),
  );
}

describe(`programs run by V8, on constants and on variables, seed ${SEED}`, () => {
  it(
    'agree on every instruction',
    async () => {
      const found: string[] = [];
      for (const [i, program] of programs.entries()) found.push(...(await disagreements(program, SEED * 100_000 + i)));
      expect(found).toEqual([]);
    },
    TIMEOUT,
  );

  it(
    `agree on ${RANDOM_PROGRAMS} random programs`,
    async () => {
      const found: string[] = [];
      for (let i = 0; i < RANDOM_PROGRAMS; i++) {
        const seed = SEED * 1_000_000 + i;
        found.push(...(await disagreements(randomProgram(generator(seed), 'random program'), seed)));
      }
      expect(found).toEqual([]);
    },
    TIMEOUT,
  );

  it(
    'agree where the input decides where a run goes',
    async () => {
      const found: string[] = [];
      for (const [i, program] of followingPrograms().entries())
        found.push(...(await disagreements(program, SEED * 10_000_000 + i, { 'following inputs': followingInputs })));
      expect(found).toEqual([]);
    },
    TIMEOUT,
  );

  it('cover every instruction that the assembler can emit but those of f64, which no kernel has', () => {
    const used = new Set(
      programs.flatMap(({ bytes }) => decode(bytes).functions.flatMap((f) => f.code.map(({ op }) => op))),
    );
    const missing = [...OPCODES.values()].filter(({ op, emitted }) => emitted && !used.has(op)).map(({ op }) => op);
    expect(missing.filter((op) => !op.includes('f64'))).toEqual([]);
  });
});
