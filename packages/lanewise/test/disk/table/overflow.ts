/** Operations of `lanewise/disk.js` on random bytes, in which tests make the stack overflow. */
import * as disk from '../../../src/disk.ts';
import { byTheModel } from '../../support/interleaved/disk.ts';
import { concat } from '../../support/bytes.ts';
import { type Given, type Operation } from '../../support/overflow-operation.ts';
import { instances } from './instances.ts';

// Read here once: the tests' module loader reports a stack overflow in the getter of a re-export as a missing export.
const { adiantum, hpolyc } = disk;

const memories = (): Uint8Array[] => instances().map(({ memory }) => memory);
const PAGE = 512;
const paged = ({ text }: Given): Uint8Array => text.slice(0, Math.floor(text.length / PAGE) * PAGE);
const pages = { pageSize: PAGE, tweak: 'index64' } as const;

export const operations: readonly Operation[] = [
  {
    name: 'Adiantum',
    memories,
    longest: 5000,
    make: ({ key }) => adiantum(key),
    work: ({ text, nonce }, object: disk.PageCipher) => object.encrypt(concat(nonce, text), nonce),
    expected: ({ key, nonce, text }) =>
      byTheModel({ cipher: 'adiantum', rounds: 12, key, tweak: nonce, page: concat(nonce, text) }),
    sealed: true,
  },
  {
    name: 'HPolyC, pages',
    memories,
    longest: 5000,
    make: ({ key }) => hpolyc(key),
    work: (given, object: disk.PageCipher) => object.encryptPages(paged(given), pages),
    expected(given) {
      const all = paged(given);
      for (let at = 0, tweak = new Uint8Array(8); at < all.length; at += PAGE, tweak[0]++) {
        const page = all.slice(at, at + PAGE);
        all.set(byTheModel({ cipher: 'hpolyc', rounds: 12, key: given.key, tweak, page }), at);
      }
      return all;
    },
    sealed: true,
  },
];
