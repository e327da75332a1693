/** Properties of BLAKE3, on random arguments. */
// Runs in browsers, too: engines compile the same kernels differently.
import { CASES, properties } from '../blake3/table/properties.ts';
import { testProperties } from '../support/properties-test.ts';

testProperties(properties, CASES);
