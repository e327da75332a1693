// A sample of mutants is noticed: those of the kernels that mutations.test.ts leaves out.
import { kernels } from '../src/kernels.ts';
import { isSmall, testMutants } from './mutations-tests.ts';

testMutants(kernels.filter((kernel) => !isSmall(kernel)));
