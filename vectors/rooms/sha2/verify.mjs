// Who confirms the vectors of SHA-2, HMAC, HKDF and PBKDF2: node:crypto and noble.
import { createHash, createHmac, hkdfSync, pbkdf2Sync } from 'node:crypto';
import { hkdf } from '@noble/hashes/hkdf.js';
import { hmac } from '@noble/hashes/hmac.js';
import { pbkdf2 } from '@noble/hashes/pbkdf2.js';
import * as noble from '@noble/hashes/sha2.js';
import { hex, unhex } from '../../oracles.mjs';
import { equal } from '../../verify-file.mjs';

/** The names of node:crypto. */
const nameOf = (hash) => hash.replace('_', '-');
const nodeHash = (hash, message) => createHash(nameOf(hash)).update(message).digest();

/** SHAVS 6.4: the digests at the ends of rounds of 1000. */
function chainOf(hash, seed, count) {
  const found = [];
  for (let last = unhex(seed); found.length < count; found.push(hex(last))) {
    let three = [last, last, last];
    for (let i = 0; i < 1000; i++) three = [three[1], three[2], hash(Buffer.concat(three))];
    last = three[2];
  }
  return found;
}
const isChain = (hash, { seed, chain }) => chainOf(hash, seed, chain.length).join() === chain.join();

/** By file, how its vectors are confirmed. */
export const files = {
  'sha2-cavp.json'(f, { tests }) {
    for (const t of tests) {
      const hashes = [
        ['node:crypto', (message) => nodeHash(t.hash, message)],
        ['noble', (message) => noble[t.hash](message)],
      ];
      if (t.seed)
        f.vector(
          `${t.hash}, Monte Carlo`,
          hashes.map(([name, hash]) => [name, isChain(hash, t)]),
        );
      else
        f.vector(
          `${t.hash} of ${t.msg}`,
          equal(
            hashes.map(([name, hash]) => [name, hash(unhex(t.msg))]),
            t.md,
          ),
        );
    }
  },
  'wycheproof-hmac.json'(f, { tests }) {
    for (const t of tests) {
      const [key, message, length] = [unhex(t.key), unhex(t.msg), t.tag.length / 2];
      const said = [
        ['node:crypto', createHmac(nameOf(t.hash), key).update(message).digest()],
        ['noble', hmac(noble[t.hash], key, message)],
      ];
      f.vector(
        `HMAC-${t.hash} ${t.tcId}`,
        said.map(([name, tag]) => [name, (hex(tag.subarray(0, length)) === t.tag) === (t.result === 'valid')]),
      );
    }
  },
  'wycheproof-hkdf.json'(f, { tests }) {
    for (const t of tests) {
      const [ikm, salt, info] = [t.ikm, t.salt, t.info].map((its) => unhex(its));
      const said = [
        ['node:crypto', () => new Uint8Array(hkdfSync(t.hash, ikm, salt, info, t.size))],
        ['noble', () => hkdf(noble[t.hash], ikm, salt, info, t.size)],
      ].map(([name, derive]) => {
        try {
          return [name, hex(derive()) === t.okm];
        } catch {
          return [name, t.result === 'invalid'];
        }
      });
      f.vector(`HKDF-${t.hash} ${t.tcId}`, said);
    }
  },
  'wycheproof-pbkdf2.json'(f, { tests }) {
    for (const t of tests) {
      const [password, salt] = [unhex(t.password), unhex(t.salt)];
      const said = [['node:crypto', pbkdf2Sync(password, salt, t.iterationCount, t.dkLen, t.hash)]];
      said.push(['noble', pbkdf2(noble[t.hash], password, salt, { c: t.iterationCount, dkLen: t.dkLen })]);
      f.vector(`PBKDF2-${t.hash} ${t.tcId}`, equal(said, t.dk));
    }
  },
};
