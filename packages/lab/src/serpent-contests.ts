/** The contests of Serpent: CTR by all who have it, our modes beside each other, and keys that change from call to call. */
import { cbc, ctr, ecb, ocb } from 'lanewise/serpent.js';
import { joined } from './client/bytes.ts';
import { lanewiseEngines, simd } from './client/contestants/lanewise.ts';
import { bcrypto } from './client/node/bcrypto.ts';
import { nativeCiphers } from './client/node/native.ts';
import { counterOf } from './client/primitives/serpent.ts';
import { randomBytes, type Random } from './client/random.ts';
import { checkedCase, nativeCase, type CheckedCase, type Contest } from './contest.ts';

const LONG = 64 * 1024;
const BLOCK = 16;
const raw = { disablePadding: true };

export const SERPENT = 'Serpent-256-CTR, 64 KiB';
export const SERPENT_MODES = 'Serpent-256 modes, 64 KiB';
export const SERPENT_KEYS = 'Serpent-256, a block under each of many keys';
/** The cases of the modes. */
export const CTR = 'CTR';
export const CBC = 'CBC decrypt';
export const OCB = 'OCB seal';
export const LIBGCRYPT = 'native libgcrypt';

const inputsOf = (random: Random) => ({
  key: randomBytes(32, random),
  nonce: randomBytes(12, random),
  data: randomBytes(LONG, random),
});

/** bcrypto says what is right, and ours says it of bcrypto. */
function ctrCases(random: Random): CheckedCase[] {
  const { key, nonce, data } = inputsOf(random);
  const out = new Uint8Array(LONG);
  const own = (): Uint8Array => ctr(key, counterOf(nonce)).encrypt(data, out);
  const theirs = bcrypto.serpentCtr(key, nonce);
  const [ours, expected] = [Uint8Array.from(own()), Uint8Array.from(joined(theirs(data, out)))];
  return [
    ...lanewiseEngines.map((contestant) => checkedCase(contestant, LONG, own, expected)),
    checkedCase(bcrypto, LONG, () => theirs(data, out), ours),
    ...nativeCiphers('serpent-ctr').map((contestant) => nativeCase(contestant, { key, nonce, data }, expected)),
  ];
}

function modeCases(random: Random): CheckedCase[] {
  const { key, nonce, data } = inputsOf(random);
  const [out, sealed] = [new Uint8Array(LONG), new Uint8Array(LONG + BLOCK)];
  const iv = counterOf(nonce);
  const chained = cbc(key, iv, raw).encrypt(data);
  const counted = joined(bcrypto.serpentCtr(key, nonce)(data, out));
  const box = (): Uint8Array => ocb(key, nonce).encrypt(data, sealed);
  simd.prepare?.();
  const boxed = joined(box());
  return [
    checkedCase({ ...simd, name: CTR }, LONG, () => ctr(key, iv).encrypt(data, out), counted),
    checkedCase({ ...simd, name: CBC }, LONG, () => cbc(key, iv, raw).decrypt(chained, out), data),
    checkedCase({ ...simd, name: OCB }, LONG, box, boxed),
  ];
}

export const keyCounts: readonly number[] = [1, 16, 1024, 65536];
export const keysName = (count: number): string => `${count} keys`;

/** Each call takes the next key, and makes its round keys anew. */
function keyCases(random: Random): CheckedCase[] {
  const block = randomBytes(BLOCK, random);
  const keys = Array.from({ length: Math.max(...keyCounts) }, () => randomBytes(32, random));
  const out = new Uint8Array(BLOCK);
  return keyCounts.map((count) => {
    let next = 0;
    const run = (): Uint8Array => ecb(keys[next++ % count], raw).encrypt(block, out);
    // What is checked is the first key's answer; counting begins there.
    const expected = Uint8Array.from(ecb(keys[0], raw).encrypt(block));
    const made = checkedCase({ ...simd, name: keysName(count) }, BLOCK, run, expected);
    return {
      ...made,
      fault() {
        next = 0;
        return made.fault();
      },
    };
  });
}

export const serpentContests: readonly Contest[] = [
  { id: SERPENT, cases: ctrCases },
  { id: SERPENT_MODES, cases: modeCases },
  { id: SERPENT_KEYS, cases: keyCases },
];
