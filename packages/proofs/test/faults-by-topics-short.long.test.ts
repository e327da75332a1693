// Each fault that all claims once missed is refuted now: by the topics whose claims take no time.
import { isLong, SMALL, testCoverage, testStatic, testTopics } from './faults-by-topics-tests.ts';

testCoverage(SMALL);
testTopics((topic) => !isLong(topic));
testStatic();
