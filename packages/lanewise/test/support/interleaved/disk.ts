/** Adiantum and HPolyC: pages alone and in rows. Compared with the model of the vectors, and a Go module if the machine has it. */
import { adiantum, hpolyc, type Tweak } from '../../../src/disk.ts';
import { concat } from '../bytes.ts';
import type { Family } from './actor.ts';
import type { Question } from './natives.ts';

type Encrypt = (page: {
  readonly cipher: string;
  readonly rounds: number;
  readonly key: Uint8Array;
  readonly tweak: Uint8Array;
  readonly page: Uint8Array;
}) => Uint8Array;
const MODEL = '../../../../../vectors/disk-model.mjs';
const model = (await import(MODEL)) as { readonly encrypt: Encrypt };
export const byTheModel: Encrypt = model.encrypt;

/** The length above which the model is too slow. */
const SLOW = 2100;
const LONGEST = 140_000;

const numberOf = (value: bigint, length: number): Uint8Array<ArrayBuffer> => {
  const bytes = new Uint8Array(length);
  new DataView(bytes.buffer).setBigUint64(0, value, true);
  return bytes;
};

export const pages: Family = (kit) => {
  const { random } = kit;
  const key = random.bytes(32);
  const rounds = random.pick([8, 12, 20] as const);
  const cipher = random.pick(['adiantum', 'hpolyc'] as const);
  const object = { adiantum, hpolyc }[cipher](kit.given(key), { rounds });
  const mode = `${cipher}${rounds}` as Question['mode'];
  const expected = (page: Uint8Array, tweak: Uint8Array): Uint8Array =>
    byTheModel({ cipher, rounds, key, tweak, page });

  const one = (): void => {
    const tweak = random.bytes(random.once(3) ? kit.length(600) : random.pick([0, 8, 12, 16, 32]));
    // The model is too slow for a long page; the Go module, if there is one, checks it.
    const long = random.once(6) && kit.answers({ mode, key, iv: tweak, text: tweak });
    const page = random.bytes(Math.max(16, kit.length(long ? LONGEST : SLOW)));
    const ciphertext = long ? object.encrypt(page, tweak) : expected(page, tweak);
    kit.ask({ mode, key, iv: tweak, text: page }, ciphertext, `a page of ${page.length}, a tweak of ${tweak.length}`);
    const call = (direction: 'encrypt' | 'decrypt') => (input: Uint8Array, out: Uint8Array | undefined) =>
      object[direction](input, kit.given(tweak), out as Uint8Array);
    kit.apply(`encrypt ${page.length}`, page, page.length, ciphertext, call('encrypt'));
    kit.apply(`decrypt ${page.length}`, ciphertext, page.length, page, call('decrypt'));
  };
  const row = (): void => {
    const pageSize = random.pick([16, 100, 512, 512, 1024, 2048]);
    const fscrypt = random.bytes(16);
    const salt = random.bytes(21);
    const forms: { tweak: Tweak; of: (page: bigint) => Uint8Array }[] = [
      { tweak: 'dm-crypt-large', of: (page) => numberOf(page, 32) },
      { tweak: 'offset64', of: (page) => numberOf(page * BigInt(pageSize), 8) },
      { tweak: 'index64', of: (page) => numberOf(page, 8) },
      { tweak: { fscrypt }, of: (page) => concat(numberOf(page, 8), fscrypt, new Uint8Array(8)) },
      { tweak: (page) => concat(numberOf(page, 8), salt), of: (page) => concat(numberOf(page, 8), salt) },
    ];
    if (pageSize % 512 === 0)
      forms.push({ tweak: 'dm-crypt', of: (page) => numberOf(page * BigInt(pageSize / 512), 32) });
    const { tweak, of } = random.pick(forms);
    const first = random.pick([0n, 5n, 2n ** 32n - 2n, 2n ** 40n]);
    const plain = random.bytes(pageSize * random.below(Math.min(40, 1 + 8192 / pageSize)));
    const each = Array.from({ length: plain.length / pageSize }, (_, i) => {
      const page = plain.slice(i * pageSize, (i + 1) * pageSize);
      const itsTweak = of(first + BigInt(i));
      const ciphertext = expected(page, itsTweak);
      kit.ask({ mode, key, iv: itsTweak, text: page }, ciphertext, `page ${i} of ${pageSize}`);
      return ciphertext;
    });
    const options = { pageSize, tweak, first };
    kit.inPlace(`encryptPages of ${pageSize}`, plain, concat(...each), (buffer) =>
      object.encryptPages(buffer, options),
    );
    kit.inPlace(`decryptPages of ${pageSize}`, concat(...each), plain, (buffer) =>
      object.decryptPages(buffer, options),
    );
  };
  return {
    name: mode,
    step() {
      random.pick([one, one, row])();
      return !random.once(8);
    },
  };
};
