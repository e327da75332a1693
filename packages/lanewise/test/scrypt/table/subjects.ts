/** The functions of `lanewise/scrypt.js` that take bytes. */
import { scryptSync } from '../../../src/scrypt.ts';
import { data, key, parameter, type Subject } from '../../support/subject.ts';

export const subjects: readonly Subject[] = [
  {
    title: 'scryptSync()',
    parameters: [parameter('password'), parameter('salt')],
    values: () => [data.slice(), key.slice()],
    make: () => (values) => scryptSync(values[0], values[1], { N: 2, r: 1 }),
  },
];
