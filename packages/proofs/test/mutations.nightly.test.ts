// A sample of mutants is noticed: those of streams, MACs and hashes that mutations-small.long.test.ts leaves out.
import { kernels } from '../src/kernels.ts';
import { isBlockCipher, isSmall, testMutants } from './mutations-tests.ts';

testMutants(kernels.filter((kernel) => !isSmall(kernel) && !isBlockCipher(kernel)));
