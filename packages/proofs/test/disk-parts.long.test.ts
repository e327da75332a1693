// Faults in what claims about pages take for granted are found: in the kernel with vectors.
import { testParts } from './disk-parts-tests.ts';

testParts('disk relaxed', 8);
