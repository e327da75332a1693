/** Random cases of what holds for all arguments of BLAKE3. */
import { CASES, properties } from './rooms/blake3/properties.ts';
import { testProperties } from './support/properties-test.ts';

testProperties(properties, CASES);
