/** Properties of the machines of streams, on random arguments. */
import { CASES, properties } from './rooms/stream/properties.ts';
import { testProperties } from './support/properties-test.ts';

testProperties(properties, CASES);
