/** Random arguments, right and wrong. */
import { argumentProperties } from '../support/properties-arguments.ts';
import { testProperties } from '../support/properties-test.ts';

testProperties(argumentProperties, 15_000);
