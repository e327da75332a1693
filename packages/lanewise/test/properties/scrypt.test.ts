/** Properties of scrypt, on random arguments. */
import { CASES, properties } from '../scrypt/table/properties.ts';
import { testProperties } from '../support/properties-test.ts';

testProperties(properties, CASES);
