// Each fault that all claims once missed is refuted now: the part of faults-by-topics.nightly.test.ts that takes little time.
import { SMALL, testCoverage, testStatic } from './faults-by-topics-tests.ts';

testCoverage(SMALL);
testStatic();
