// Every kind of claims finds a fault that no other kind finds: the kernels that faults-by-kind-small.long.test.ts leaves out.
import { names, SMALL, testKinds } from './faults-by-kind-tests.ts';

testKinds(names.filter((name) => !SMALL.includes(name)));
