// Faults in the functions that claims about pages assume are found: in the kernel with vectors.
import { testParts } from './disk-parts-tests.ts';

testParts('disk relaxed', 8);
