// Faults in the functions that claims about pages assume are found: in the kernel without vectors.
import { testParts } from './disk-parts-tests.ts';

testParts('disk scalar', 2);
