// Faults in what claims about pages take for granted are found: in the kernel without vectors.
import { testParts } from './disk-parts-tests.ts';

testParts('disk scalar', 2);
