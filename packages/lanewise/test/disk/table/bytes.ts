/** Calls of `lanewise/disk.js` that give bytes to a kernel. */
import { xchacha20poly1305 } from '../../../src/chacha.ts';
import { adiantum, authenticatedPages, hpolyc } from '../../../src/disk.ts';
import { sample } from '../../support/bytes.ts';
import { iv, key, messageOf, once, room, type Call, type Given, type Family } from '../../support/byte-call.ts';

const pages =
  (title: string, make: (given: Given) => ReturnType<typeof adiantum>) =>
  (length: number): Call[] => {
    const tweak = sample(21, 309);
    const sealed = (): Uint8Array =>
      once(`${title} ${length}`, () => make((bytes) => bytes).encrypt(messageOf(length), tweak));
    const many = (): Uint8Array => sample(5 * 512, 310);
    return length < 16
      ? []
      : [
          {
            title: `${title}.encrypt()`,
            run: (given) => make(given).encrypt(given(messageOf(length)), given(tweak), given(room(length))),
          },
          {
            title: `${title}.decrypt()`,
            run: (given) => make(given).decrypt(given(sealed()), given(tweak), given(room(length))),
          },
          ...(length > 2000
            ? []
            : [
                {
                  title: `${title}.encryptPages()`,
                  run: (given: Given) =>
                    make(given)
                      .encryptPages(given(many()), { pageSize: 512, tweak: { fscrypt: given(iv) } })
                      .slice(0, 5 * 512),
                },
                {
                  title: `${title}.decryptPages() with a function`,
                  run: (given: Given) => {
                    const tweaks = [0, 1, 2, 3, 4].map((i) => given(sample(9, i + 1)));
                    return make(given)
                      .decryptPages(given(many()), { pageSize: 512, tweak: (page) => tweaks[Number(page)] })
                      .slice(0, 5 * 512);
                  },
                },
              ]),
        ];
  };

export const families: readonly Family[] = [
  pages('adiantum', (given) => adiantum(given(key))),
  pages('hpolyc', (given) => hpolyc(given(key), { rounds: 8 })),
  (length) => {
    const page = sample(length + 40, 311);
    const make = (given: Given): ReturnType<typeof authenticatedPages> =>
      authenticatedPages(xchacha20poly1305, given(key));
    const sealed = (): Uint8Array => once(`authenticated ${length}`, () => make((bytes) => bytes).encrypt(page, 3));
    return [
      {
        title: 'authenticatedPages.encrypt() and back',
        run: (given) => {
          const it = make(given);
          return it.decrypt(it.encrypt(given(page), 3, given(room(length + 40))), 3);
        },
      },
      {
        title: 'authenticatedPages.decrypt()',
        run: (given) => make(given).decrypt(given(sealed()), 3, given(room(length + 40))),
      },
    ];
  },
];
