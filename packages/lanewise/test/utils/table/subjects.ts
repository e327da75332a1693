/** The functions of `lanewise/utils.js` that take bytes. */
import { bytesToHex, equalBytes } from '../../../src/utils.ts';
import { data, parameter, type Subject } from '../../support/subject.ts';

export const subjects: readonly Subject[] = [
  {
    title: 'equalBytes()',
    parameters: [parameter('a'), parameter('b')],
    values: () => [data.slice(), data.slice()],
    make: () => (values) => equalBytes(values[0], values[1]),
  },
  {
    title: 'bytesToHex()',
    parameters: [parameter('bytes')],
    values: () => [data.slice()],
    make: () => (values) => bytesToHex(values[0]),
  },
];
