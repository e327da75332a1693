/** Properties of ChaCha, its AEADs and Poly1305, on random arguments. */
import { CASES, properties } from './rooms/chacha/properties.ts';
import { testProperties } from './support/properties-test.ts';

testProperties(properties, CASES);
