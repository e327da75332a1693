// Leaks and faults planted in kernels are found: in the kernels that faults-by-function-small.long.test.ts leaves out.
import { kernels } from '../src/kernels.ts';
import { isSmall, testPlanted } from './faults-by-function-tests.ts';

testPlanted(kernels.filter((kernel) => !isSmall(kernel)));
