// Each fault that all claims once missed is refuted now: by the topics and kernels that faults-by-topics-short.long.test.ts leaves out.
import { coveredKernels, isLong, SMALL, testCoverage, testTopics } from './faults-by-topics-tests.ts';

testCoverage(coveredKernels.filter((name) => !SMALL.includes(name)));
testTopics(isLong);
