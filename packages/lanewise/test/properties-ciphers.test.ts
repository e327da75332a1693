/** Random cases of what holds for all arguments of ChaCha, its AEADs and Poly1305. */
import { CASES, properties } from './rooms/chacha/properties.ts';
import { testProperties } from './support/properties-test.ts';

testProperties(properties, CASES);
