/** Properties of ChaCha, its AEADs and Poly1305, on random arguments. */
// Runs in browsers, too: engines compile the same kernels differently.
import { CASES, properties } from '../chacha/table/properties.ts';
import { testProperties } from '../support/properties-test.ts';

testProperties(properties, CASES);
