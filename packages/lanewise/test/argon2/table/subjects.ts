/** The functions of `lanewise/argon2.js` that take bytes. */
import { argon2idSync } from '../../../src/argon2.ts';
import { data, key, parameter, type Subject } from '../../support/subject.ts';

export const subjects: readonly Subject[] = [
  {
    title: 'argon2idSync()',
    parameters: [parameter('password')],
    values: () => [data.slice()],
    make: () => (values) => argon2idSync(values[0], key, { m: 8, t: 1 }),
  },
];
