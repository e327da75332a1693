/** The functions of `lanewise/poly1305.js` that take bytes. */
import { poly1305 } from '../../../src/poly1305.ts';
import { untouched } from '../../support/bytes.ts';
import * as oracles from '../../support/oracles.ts';
import { data, key, parameter, type Subject } from '../../support/subject.ts';

export const subjects: readonly Subject[] = [
  {
    title: 'poly1305()',
    parameters: [parameter('message'), parameter('key', 32)],
    values: () => [data.slice(), key.slice()],
    make: () => (values) => poly1305(values[0], values[1]),
    expected: oracles.poly1305(data, key),
  },
  {
    title: 'poly1305.create()',
    parameters: [parameter('key', 32)],
    values: () => [key.slice()],
    make: () => (values) => poly1305.create(values[0]).update(data).digest(),
    expected: oracles.poly1305(data, key),
  },
  {
    title: 'Poly1305.update()',
    parameters: [parameter('message')],
    values: () => [data.slice()],
    make() {
      const mac = poly1305.create(key);
      return (values) => mac.update(values[0]).digest();
    },
    expected: oracles.poly1305(data, key),
  },
  {
    title: 'Poly1305.digestInto()',
    parameters: [parameter('out', 16)],
    values: () => [untouched(16)],
    make() {
      const mac = poly1305.create(key).update(data);
      return (values) => {
        mac.digestInto(values[0]);
        return values[0];
      };
    },
    expected: oracles.poly1305(data, key),
  },
];
