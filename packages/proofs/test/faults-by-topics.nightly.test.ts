// Each fault that all claims once missed is refuted now: by each topic, and the kernels that faults-by-topics-small.long.test.ts leaves out.
import { coveredKernels, SMALL, testCoverage, testTopics } from './faults-by-topics-tests.ts';

testCoverage(coveredKernels.filter((name) => !SMALL.includes(name)));
testTopics();
