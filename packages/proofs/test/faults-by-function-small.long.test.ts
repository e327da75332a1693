// Leaks and faults planted in kernels are found: in small kernels.
import { kernels } from '../src/kernels.ts';
import { isSmall, testPlanted } from './faults-by-function-tests.ts';

testPlanted(kernels.filter(isSmall));
