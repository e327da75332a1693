// Terms and a solver agree: on some random expressions.
import { testRules, testTexts } from './terms-smt-tests.ts';

testRules(60);
testTexts(6);
