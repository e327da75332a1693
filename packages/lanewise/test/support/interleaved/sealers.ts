/** AEADs and secretboxes: sealed, opened, forged, over other bytes and over themselves. By OpenSSL, libsodium and noble. */
import * as chacha from '../../../src/chacha.ts';
import { secretbox as nacl } from '../../../src/nacl.ts';
import * as salsa from '../../../src/salsa.ts';
import { concat } from '../bytes.ts';
import * as oracles from '../oracles.ts';
import * as salsaOracles from '../salsa.ts';
import type { Family } from './actor.ts';
import type { Kit } from './kit.ts';

const INVALID = /^invalid tag$/;

/** The methods that an AEAD and a secretbox share. */
export interface Box {
  encrypt(plaintext: Uint8Array, out: Uint8Array | undefined): Uint8Array;
  decrypt(ciphertext: Uint8Array, out: Uint8Array | undefined): Uint8Array;
  destroy(): void;
}

export interface Sealer {
  readonly name: string;
  readonly make: () => Box;
  /** Seals with the other implementation. */
  readonly seal: (plaintext: Uint8Array) => Uint8Array;
  readonly longest: number;
  /** Whether the tag can be had apart; otherwise it follows the ciphertext. */
  readonly detached: boolean;
  /** A further check of the sealed bytes, beside the comparison with `seal`. */
  readonly alsoSealed?: (plaintext: Uint8Array, sealed: Uint8Array) => void;
}

const forged = (kit: Kit, bytes: Uint8Array): Uint8Array => {
  const wrong = bytes.slice();
  wrong[kit.random.below(wrong.length)] ^= 1 << kit.random.below(8);
  return wrong;
};

/** An object that seals or opens each message under one nonce. */
export function boxActor(kit: Kit, { name, make, seal, longest, detached, alsoSealed }: Sealer): ReturnType<Family> {
  const { random } = kit;
  const object = make();
  let encrypted = false;
  const message = (): { plaintext: Uint8Array; sealed: Uint8Array } => {
    const plaintext = random.bytes(kit.length(longest));
    return { plaintext, sealed: seal(plaintext) };
  };
  const aead = object as unknown as chacha.Aead;

  const encrypt = (): void => {
    const { plaintext, sealed } = message();
    const expected = encrypted ? /^cannot encrypt/ : sealed;
    if (detached && random.once(2)) {
      const ciphertext = sealed.subarray(0, plaintext.length);
      kit.apply('encryptDetached', plaintext, plaintext.length, encrypted ? expected : ciphertext, (input, out) => {
        const result = aead.encryptDetached(input, out as Uint8Array);
        kit.same(result.tag, sealed.subarray(plaintext.length), 'the tag');
        return result.ciphertext;
      });
    } else kit.apply('encrypt', plaintext, sealed.length, expected, (input, out) => object.encrypt(input, out));
    if (!encrypted) alsoSealed?.(plaintext, sealed);
    encrypted = true;
  };
  const decrypt = (): void => {
    const { plaintext, sealed } = message();
    const wrong = random.once(4);
    const given = wrong ? forged(kit, sealed) : sealed;
    const expected = wrong ? INVALID : plaintext;
    const what = wrong ? 'a forgery' : 'decrypt';
    if (detached && random.once(2)) {
      const [ciphertext, tag] = [given.subarray(0, plaintext.length), given.subarray(plaintext.length)];
      kit.apply(`${what}, detached`, ciphertext, plaintext.length, expected, (input, out) =>
        aead.decryptDetached(input, kit.given(tag), out as Uint8Array),
      );
    } else kit.apply(what, given, plaintext.length, expected, (input, out) => object.decrypt(input, out));
  };
  return {
    name,
    step() {
      if (random.once(12)) {
        object.destroy();
        kit.refused(
          () => object.decrypt(new Uint8Array(40), undefined),
          /^cannot use .* after destroy\(\)/,
          'after destroy()',
        );
        return false;
      }
      if (random.once(3)) encrypt();
      else decrypt();
      return true;
    },
  };
}

const LONGEST = 250_000;

export const aead: Family = (kit) => {
  const { random } = kit;
  const name = random.pick(['chacha20poly1305', 'xchacha20poly1305'] as const);
  const [key, nonce, aad] = [random.bytes(32), random.bytes(chacha[name].nonceLength), random.bytes(kit.length(3000))];
  return boxActor(kit, {
    name: `${name} with ${aad.length} bytes of additional data`,
    make: () => chacha[name](kit.given(key), kit.given(nonce), aad.length ? kit.given(aad) : undefined),
    seal: (plaintext) => oracles.seal(key, nonce, aad, plaintext),
    longest: LONGEST,
    detached: true,
  });
};

export const secretbox: Family = (kit) => {
  const { random } = kit;
  const name = random.pick(['xsalsa20poly1305', 'secretbox_xchacha20poly1305'] as const);
  const [key, nonce] = [random.bytes(32), random.bytes(24)];
  const oracle = name === 'xsalsa20poly1305' ? salsaOracles.secretbox : salsaOracles.secretboxXChaCha;
  return boxActor(kit, {
    name,
    make: () => salsa[name](kit.given(key), kit.given(nonce)),
    seal: (plaintext) => oracle(key, nonce, plaintext),
    longest: LONGEST,
    detached: false,
  });
};

/** A key whose messages have a nonce of their own, in front of them. */
export const managed: Family = (kit) => {
  const { random } = kit;
  const [key, aad] = [random.bytes(32), random.bytes(kit.length(300))];
  let nonce = random.bytes(24);
  const object = chacha.managedNonce(chacha.xchacha20poly1305, () => nonce.slice())(kit.given(key), kit.given(aad));
  return {
    name: 'managedNonce',
    step() {
      nonce = random.bytes(24);
      const plaintext = random.bytes(kit.length(LONGEST));
      const box = concat(nonce, oracles.seal(key, nonce, aad, plaintext));
      if (random.once(2))
        kit.apply('encrypt', plaintext, box.length, box, (input, out) => object.encrypt(input, out as Uint8Array));
      else
        kit.apply('decrypt', box, plaintext.length, plaintext, (input, out) =>
          object.decrypt(input, out as Uint8Array),
        );
      const wrong = forged(kit, box);
      kit.apply('a forgery', wrong, plaintext.length, INVALID, (input, out) =>
        object.decrypt(input, out as Uint8Array),
      );
      return !random.once(8);
    },
  };
};

/** secretbox with TweetNaCl's functions. */
export const naclBox: Family = (kit) => {
  const { random } = kit;
  const [key, nonce] = [random.bytes(32), random.bytes(24)];
  return {
    name: 'nacl.secretbox',
    step() {
      const plaintext = random.bytes(kit.length(LONGEST));
      const box = salsaOracles.secretbox(key, nonce, plaintext);
      const values = [kit.given(nonce), kit.given(key)] as const;
      kit.same(nacl(kit.given(plaintext), ...values), box, 'secretbox');
      kit.same(nacl.open(kit.given(box), ...values)!, plaintext, 'open');
      if (nacl.open(kit.given(forged(kit, box)), ...values) !== null) throw new Error('a forgery was opened');
      return !random.once(8);
    },
  };
};
