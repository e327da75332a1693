// Who confirms the vectors of Adiantum, HPolyC and NH.
import { createHash } from 'node:crypto';
import * as disk from '../../disk-model.mjs';
import { hex, unhex } from '../../oracles.mjs';

/** Adiantum and HPolyC by the model, with its own parts and with noble's; the published value or a third voice is in the file. */
function diskPage(test, key, tweak, page) {
  const input = { cipher: test.cipher, rounds: test.rounds, key, tweak, page };
  const said = [
    ['model', disk.encrypt(input)],
    ['noble in the model', disk.encrypt(input, disk.nobles)],
  ];
  return said.map(([name, got]) => [
    name,
    test.sha256
      ? createHash('sha256').update(got).digest('hex') === test.sha256 &&
        (!test.last || hex(got.subarray(-16)) === test.last)
      : hex(got) === test.ciphertext,
  ]);
}

/** By file, how its vectors are confirmed. */
export const files = {
  'disk.json'(f, { tests, plaintexts }) {
    tests.forEach((t, i) => {
      const page = new Uint8Array(Buffer.from(plaintexts[t.plaintext], 'base64'));
      f.vector(`${i} (${t.cipher}${t.rounds})`, diskPage(t, unhex(t.key), unhex(t.tweak), page));
    });
  },
  'disk-edge.json'(f, { tests }) {
    for (const t of tests) {
      const [key, page, tweak] = [disk.pattern(1, 32), disk.pattern(2, t.length), disk.pattern(3, t.tweak)];
      f.vector(`${t.cipher}${t.rounds} of ${t.length} and ${t.tweak}`, diskPage(t, key, tweak, page));
    }
  },
  'disk-nh.json'(f, { tests }) {
    for (const t of tests) {
      const [key, message] = [t.key, t.message].map((text) => new Uint8Array(Buffer.from(text, 'base64')));
      f.vector(t.name, [
        ['model', hex(disk.nh(key, message)) === t.hash],
        ['numbers', hex(disk.nhInHalves(key, message)) === t.hash],
      ]);
    }
  },
};
