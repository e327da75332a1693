/** The functions of `lanewise/stream.js` that take bytes and give their result at once. */
import { SecretstreamState } from '../../../src/stream/secretstream-state.ts';
import { agePayload, secretstream } from '../../../src/stream.ts';
import { aad, data, key, parameter, type Subject } from '../../support/subject.ts';

const header = data.slice(0, 24);
const ad = { name: 'ad', optional: true };
const sealed = agePayload(key).sealer().end();
const message = new Uint8Array(data.length + 17);
new SecretstreamState(key, header).seal(0, aad, aad.length, data, data.length, message);

export const subjects: readonly Subject[] = [
  {
    title: 'agePayload.sealer()',
    parameters: [parameter('key', 32)],
    values: () => [key.slice()],
    make: () => (values) => agePayload(values[0]).sealer().end(),
    expected: sealed,
  },
  {
    title: 'agePayload.opener()',
    parameters: [parameter('key', 32)],
    values: () => [key.slice()],
    make: () => (values) => {
      const opener = agePayload(values[0]).opener();
      opener.push(sealed);
      return opener.end();
    },
    expected: new Uint8Array(0),
  },
  {
    title: 'Sealer.push()',
    parameters: [parameter('bytes')],
    values: () => [data.slice()],
    make() {
      const sealer = agePayload(key).sealer();
      return (values) => sealer.push(values[0]);
    },
    expected: new Uint8Array(0),
  },
  {
    title: 'Opener.push()',
    parameters: [parameter('bytes')],
    values: () => [data.slice()],
    make() {
      const opener = agePayload(key).opener();
      return (values) => opener.push(values[0]);
    },
    expected: new Uint8Array(0),
  },
  {
    title: 'secretstream.opener()',
    parameters: [parameter('key', 32), parameter('header', 24)],
    values: () => [key.slice(), header.slice()],
    make: () => (values) => secretstream(values[0]).opener({ header: values[1] }).push(message, undefined, { ad: aad }),
    expected: data,
  },
  {
    title: 'MessageSealer.push()',
    parameters: [parameter('message'), ad],
    values: () => [data.slice(), aad.slice()],
    make() {
      const sealer = secretstream(key).sealer();
      return (values) => sealer.push(values[0], undefined, { ad: values[1] });
    },
  },
  {
    title: 'MessageOpener.push()',
    parameters: [parameter('message'), ad],
    values: () => [message.slice(), aad.slice()],
    make() {
      const opener = secretstream(key).opener({ header });
      return (values) => opener.push(values[0], undefined, { ad: values[1] });
    },
    expected: data,
  },
];
