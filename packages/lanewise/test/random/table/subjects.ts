/** The functions of `lanewise/random.js` that take bytes. */
import { chacha8rand } from '../../../src/random.ts';
import { key, parameter, type Subject } from '../../support/subject.ts';

export const subjects: readonly Subject[] = [
  {
    title: 'chacha8rand()',
    parameters: [parameter('seed', 32)],
    values: () => [key.slice()],
    make: () => (values) => chacha8rand(values[0]).bytes(40),
  },
  {
    title: 'chacha8rand.load()',
    parameters: [parameter('state', 33)],
    values: () => [chacha8rand(key).save()],
    make: () => (values) => chacha8rand.load(values[0]).bytes(40),
  },
];
