// Terms and a solver agree: on enough random expressions for every shape and kind to be among them.
import { testRules, testTexts } from './terms-smt-tests.ts';

testRules(600);
testTexts(40);
