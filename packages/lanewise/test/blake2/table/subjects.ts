/** The functions of `lanewise/blake2.js` that take bytes. */
import { blake2b, blake2s, type Blake2Function } from '../../../src/blake2.ts';
import { data, parameter, type Subject } from '../../support/subject.ts';

const subjectsOf = (name: string, hash: Blake2Function): readonly Subject[] => [
  {
    title: `${name}()`,
    parameters: [parameter('message')],
    values: () => [data.slice()],
    make: () => (values) => hash(values[0], { dkLen: 20 }),
  },
  {
    title: `${name}.create()`,
    parameters: [parameter('message')],
    values: () => [data.slice()],
    make: () => (values) => hash.create().update(values[0]).digest(),
  },
];

export const subjects: readonly Subject[] = [...subjectsOf('blake2b', blake2b), ...subjectsOf('blake2s', blake2s)];
