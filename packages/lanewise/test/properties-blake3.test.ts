/** Properties of BLAKE3, on random arguments. */
import { CASES, properties } from './rooms/blake3/properties.ts';
import { testProperties } from './support/properties-test.ts';

testProperties(properties, CASES);
