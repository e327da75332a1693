// A sample of mutants is noticed: those of Serpent and of disk encryption, which take as long as all others together.
import { kernels } from '../src/kernels.ts';
import { isBlockCipher, isSmall, testMutants } from './mutations-tests.ts';

testMutants(kernels.filter((kernel) => !isSmall(kernel) && isBlockCipher(kernel)));
