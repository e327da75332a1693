/** Random cases of what holds for all arguments of ChaCha, its AEADs and Poly1305. */
import { cipherProperties } from './support/properties-ciphers.ts';
import { testProperties } from './support/properties-test.ts';

testProperties(cipherProperties, 60_000);
