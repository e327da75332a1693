/** Properties of scrypt, on random arguments. */
import { CASES, properties } from './rooms/scrypt/properties.ts';
import { testProperties } from './support/properties-test.ts';

testProperties(properties, CASES);
