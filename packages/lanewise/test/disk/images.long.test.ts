/** Images as Linux makes them with dm-crypt and Adiantum, 64 MiB each. */
import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { adiantum, type Tweak } from '../../src/disk.ts';
import { unhex } from '../support/bytes.ts';
import { onEachEngine } from '../support/engines.ts';

const MEBIBYTE = 2 ** 20;
const IMAGE = 64;
/** Commit text of Android's "dm crypt: optionally support larger encryption sector size", bug 112008522. */
const imageKey = unhex('ec0531985a96e87f756035f804d051dfe50036987d9ad706aaf9bdbdd1f5b786');
const images: readonly { name: string; pageSize: number; tweak: Tweak; md5: string }[] = [
  { name: 'sectors of 512 bytes', pageSize: 512, tweak: 'dm-crypt', md5: '44e24946ce308f3b4495bc2ff9cade8b' },
  // Hashed with the Go module that made disk-edge.json.
  { name: 'sectors of 4096 bytes', pageSize: 4096, tweak: 'dm-crypt', md5: '2b8ec7054176f5bbe8c845f3be96c3a3' },
  { name: 'iv_large_sectors', pageSize: 4096, tweak: 'dm-crypt-large', md5: '8aa1cb4f5ebef575b15b5f8d64763118' },
];

onEachEngine((engine) => {
  // The slow engine has the smallest of them.
  it.each(engine === 'js' ? images.slice(0, 1) : images)('64 MiB of zeros in dm-crypt, $name', (image) => {
    const { pageSize, tweak, md5 } = image;
    const cipher = adiantum(imageKey);
    const digest = createHash('md5');
    const buffer = new Uint8Array(MEBIBYTE);
    for (let i = 0; i < IMAGE; i++) {
      buffer.fill(0);
      digest.update(cipher.encryptPages(buffer, { pageSize, first: (i * MEBIBYTE) / pageSize, tweak }));
    }
    expect(digest.digest('hex')).toBe(md5);
  });
});
