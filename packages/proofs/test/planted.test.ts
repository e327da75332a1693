// What is planted in kernels is found: in small ones.
import { kernels } from '../src/kernels.ts';
import { isSmall, testPlanted } from './planted-tests.ts';

testPlanted(kernels.filter(isSmall));
