// Every kind of claims finds a fault that no other kind finds: the kernels that kill-matrix-small.long.test.ts leaves out.
import { killMatrix } from '../src/mutations/kill-matrix.ts';
import { SMALL, testKillMatrix } from './kill-matrix-tests.ts';

testKillMatrix(Object.keys(killMatrix).filter((name) => !SMALL.includes(name)));
