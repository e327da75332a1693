/** Calls of the room's public modules that nothing is recorded of. */
import { destroyed, key, none, nonce, ones, type Call } from '../../branch-calls.ts';

export const ordinary: readonly Call[] = [
  ({ disk }) => disk.adiantum(key).encryptPages(ones(64), { pageSize: 32, first: 2 ** 53 - 1, tweak: 'offset64' }),
  ({ disk }) => disk.adiantum(key).encryptPages(ones(64), { pageSize: 32, first: 2 ** 53 - 1, tweak: () => ones(8) }),
  ({ disk }) => disk.adiantum(key).encryptPages(ones(64), { pageSize: 32, first: 7n, tweak: 'index64' }),
  ({ disk }) => disk.hpolyc(key).encryptPages(none, { pageSize: 32, tweak: 'index64' }),
  ({ disk }) => {
    const cipher = disk.adiantum(key);
    const options = { pageSize: 512 };
    cipher.encryptPages(ones(1024), { ...options, tweak: 'dm-crypt' });
    cipher.encryptPages(ones(1024), { ...options, tweak: 'dm-crypt-large' });
    cipher.encryptPages(ones(1024), { ...options, tweak: { fscrypt: nonce(16) } });
  },
];

export const refused: readonly Call[] = [
  ({ disk }) => disk.adiantum(key).encrypt(ones(15), none),
  ({ disk }) => disk.adiantum(key).encrypt(ones(16), ones(4097)),
  ({ disk }) => disk.adiantum(key, { rounds: 10 as 8 }),
  ({ disk }) => destroyed(disk.adiantum(key), (cipher) => cipher.encrypt(ones(16), none)),
  ({ disk }) => disk.adiantum(key).encryptPages(ones(32), { pageSize: 32, tweak: 'dm-crypt' }),
  ...[undefined, null, 'text', ones(16)].map(
    (tweak): Call =>
      ({ disk }) =>
        disk.adiantum(key).encryptPages(ones(32), { pageSize: 32, tweak: tweak as 'index64' }),
  ),
  ...[2n ** 59n - 1n, 2n ** 59n + 1n].map(
    (first): Call =>
      ({ disk }) =>
        disk.adiantum(key).encryptPages(ones(64), { pageSize: 32, first, tweak: 'offset64' }),
  ),
  // The function takes the pages away.
  ({ disk }) => {
    const buffer = new Uint8Array(new ArrayBuffer(64, { maxByteLength: 64 }));
    const tweak = (): Uint8Array => {
      buffer.buffer.resize(32);
      return ones(8);
    };
    return disk.adiantum(key).encryptPages(buffer, { pageSize: 32, tweak });
  },
];
