/** Random cases of what holds for all arguments of BLAKE3. */
import { blake3Properties } from './support/properties-blake3.ts';
import { testProperties } from './support/properties-test.ts';

testProperties(blake3Properties, 25_000);
