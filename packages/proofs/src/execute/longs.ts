/** The i64 instructions, in the domain of the run. WebAssembly core specification §4.3.2 */
import { negation } from '../terms/term.ts';
import type { Opcode } from '../wasm/types.ts';
import type { Integers64 } from './domain.ts';
import type { Operation } from './run.ts';

type Arithmetic = 'add' | 'sub' | 'mul' | 'and' | 'or' | 'xor';
type Shift = 'shl' | 'shr_u' | 'rotl' | 'rotr';

const arithmetic =
  (name: Arithmetic): Operation =>
  (run) => {
    const y = run.long();
    run.push(run.integers64[name](run.long(), y));
  };

const shift =
  (name: Shift): Operation =>
  (run) => {
    const count = run.long();
    const { integers64 } = run;
    run.shiftCount(integers64.constantOf(count) === undefined && integers64.isSecret(count));
    run.push(integers64[name](run.long(), count));
  };

const comparison =
  (name: keyof Pick<Integers64<unknown>, 'eq' | 'lt_u'>): Operation =>
  (run) => {
    const y = run.long();
    run.push(run.integers64[name](run.long(), y));
  };

export const longOperations: Partial<Record<Opcode, Operation>> = {
  'i64.eqz': (run) => run.push(run.integers64.eqz(run.long())),
  'i64.eq': comparison('eq'),
  'i64.ne': (run) => {
    const y = run.long();
    run.push(negation(run.integers64.eq(run.long(), y)));
  },
  'i64.lt_u': comparison('lt_u'),
  'i64.add': arithmetic('add'),
  'i64.sub': arithmetic('sub'),
  'i64.mul': arithmetic('mul'),
  'i64.and': arithmetic('and'),
  'i64.or': arithmetic('or'),
  'i64.xor': arithmetic('xor'),
  'i64.shl': shift('shl'),
  'i64.shr_u': shift('shr_u'),
  'i64.rotl': shift('rotl'),
  'i64.rotr': shift('rotr'),
  'i32.wrap_i64': (run) => run.push(run.integers64.wrap(run.long())),
  'i64.extend_i32_u': (run) => run.push(run.integers64.extend_i32_u(run.word())),
};
