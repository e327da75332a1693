// A sample of mutants is noticed: those of the small kernels.
import { kernels } from '../src/kernels.ts';
import { isSmall, testMutants } from './mutations-tests.ts';

testMutants(kernels.filter(isSmall));
