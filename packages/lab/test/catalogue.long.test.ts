/** The answers of contestants about messages that catalogue.test.ts leaves out. */
import { isLong, testCases } from './catalogue-tests.ts';

testCases(isLong);
