// Leaks and faults planted in kernels are found: in small kernels.
import { kernels } from '../src/kernels.ts';
import { isSmall, testPlanted } from './planted-tests.ts';

testPlanted(kernels.filter(isSmall));
