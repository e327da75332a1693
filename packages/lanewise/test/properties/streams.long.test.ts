/** Properties of the machines of streams, on random arguments. */
// Runs in browsers, too: engines compile the same kernels differently, and streams are theirs.
import { CASES, properties } from '../stream/table/properties.ts';
import { testProperties } from '../support/properties-test.ts';

testProperties(properties, CASES);
