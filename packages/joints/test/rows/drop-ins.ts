/** Calls of the drop-in packages that are written here: each exported function, and the methods of its results. */
import { lines } from '../../../drop-ins/src/lines.ts';
import { pairOf, sodiumOf, withinOf } from '../inventory.ts';
import type { Given, Row } from '../row.ts';

type Any = (...values: unknown[]) => unknown;
type Library = Readonly<Record<string, Any>>;
type Methods = Readonly<Record<string, Any>>;

const bytes = (length: number, first = 1): Uint8Array<ArrayBuffer> =>
  Uint8Array.from({ length }, (_, i) => (first + 7 * i) % 256);
/** Long enough for our kernels where short messages are the original's. */
const MESSAGE = bytes(3000, 5);
const key = bytes(32);
const words = (length: number): Uint32Array => Uint32Array.from({ length }, (_, i) => 0x9e3779b9 * (i + 1));

const lengthOf = (name: string): number =>
  name.includes('xchacha') || name.includes('xsalsa') || name === 'secretbox'
    ? 24
    : /orig|salsa20$/.test(name)
      ? 8
      : 12;

function nobleCiphers(title: string, library: Library): Row[] {
  const rows: Row[] = [];
  const row = (name: string, what: string, run: (given: Given) => unknown): unknown =>
    rows.push({ title: `${title}.${name}${what}`, covers: [`${title}.${name}`], run });
  for (const name of ['chacha8', 'chacha12', 'chacha20', 'chacha20orig', 'xchacha20', 'salsa20', 'xsalsa20'])
    if (library[name]) {
      const nonce = bytes(lengthOf(name));
      row(name, '', (given) =>
        library[name](given.bytes(key.slice()), given.bytes(nonce.slice()), given.bytes(MESSAGE.slice())),
      );
      row(name, ' into output', (given) =>
        library[name](
          given.bytes(key.slice()),
          given.bytes(nonce.slice()),
          given.bytes(MESSAGE.slice()),
          given.out(bytes(3000)),
          1,
        ),
      );
    }
  const boxes = ['chacha20poly1305', 'xchacha20poly1305', 'xsalsa20poly1305', 'secretbox', '_poly1305_aead'];
  for (const name of boxes.filter((each) => library[each])) {
    const itsName = name === '_poly1305_aead' ? 'chacha20' : name;
    const nonce = bytes(lengthOf(itsName));
    const takesAad = !name.includes('salsa') && name !== 'secretbox';
    const maker = name === '_poly1305_aead' ? (library[name](library.chacha20) as Any) : library[name];
    const [seal, open] = name === 'secretbox' ? ['seal', 'open'] : ['encrypt', 'decrypt'];
    const make = (given?: Given): Methods => {
      const [itsKey, itsNonce, AAD] = [key.slice(), nonce.slice(), bytes(13)];
      return maker(
        given?.bytes(itsKey) ?? itsKey,
        given?.bytes(itsNonce) ?? itsNonce,
        ...(takesAad ? [given?.bytes(AAD) ?? AAD] : []),
      ) as Methods;
    };
    const sealed = make()[seal](MESSAGE) as Uint8Array;
    // Boxes of Salsa20 are opened with 32 bytes more of room.
    const [more, less] = takesAad ? [16, -16] : [32, 32];
    row(name, '().encrypt', (given) => make(given)[seal](given.bytes(MESSAGE.slice())));
    row(name, '().decrypt', (given) => make(given)[open](given.bytes(sealed.slice())));
    if (name === 'secretbox') continue;
    row(name, '().encrypt into output', (given) =>
      make(given)[seal](given.bytes(MESSAGE.slice()), given.out(bytes(3000 + more))),
    );
    row(name, '().decrypt into output', (given) =>
      make(given)[open](given.bytes(sealed.slice()), given.out(bytes(sealed.length + less))),
    );
  }
  for (const name of ['hchacha', 'hsalsa'])
    if (library[name])
      row(name, '', (given) =>
        library[name](...[4, 8, 4].map((length) => given.bytes(words(length) as never)), given.out(words(8) as never)),
      );
  for (const name of ['rngChacha20', 'rngChacha8'])
    if (library[name])
      row(name, '', (given) => {
        const generator = library[name](given.bytes(bytes(44))) as Methods;
        generator.addEntropy(given.bytes(bytes(5)));
        return generator.randomBytes(100);
      });
  if (library.poly1305) {
    row('poly1305', '', (given) => library.poly1305(given.bytes(MESSAGE.slice()), given.bytes(key.slice())));
    const makers: Record<string, Any> = { 'poly1305.create': (library.poly1305 as unknown as Methods).create };
    if (library.Poly1305)
      makers.Poly1305 = (...values) =>
        new (library.Poly1305 as unknown as new (...all: unknown[]) => unknown)(...values);
    for (const [name, make] of Object.entries(makers))
      row(name, '', (given) => {
        const mac = make(given.bytes(key.slice())) as Methods;
        mac.update(given.bytes(MESSAGE.slice()));
        const tag = given.out(bytes(16));
        mac.digestInto(tag);
        return tag;
      });
  }
  return rows;
}

function nobleHashes(title: string, library: Library): Row[] {
  const { blake3 } = library as unknown as { blake3: Any & Methods };
  const name = library._BLAKE3 ? '_BLAKE3' : 'BLAKE3';
  const Hasher = library[name] as unknown as new (options: object, ...more: unknown[]) => Methods;
  const options = (given: Given): object => given.options({ key: given.bytes(key.slice()), dkLen: 40 });
  const used = (given: Given, hasher: Methods): unknown => {
    hasher.update(given.bytes(MESSAGE.slice()));
    const out = given.out(bytes(40));
    hasher.digestInto(out);
    return out;
  };
  return [
    {
      title: `${title}.blake3`,
      covers: [`${title}.blake3`],
      run: (given) => blake3(given.bytes(MESSAGE.slice()), options(given)),
    },
    {
      title: `${title}.blake3.create`,
      covers: [`${title}.blake3.create`],
      run: (given) => used(given, blake3.create(options(given)) as Methods),
    },
    {
      title: `${title}.${name}`,
      covers: [`${title}.${name}`],
      run: (given) => used(given, new Hasher(options(given))),
    },
    {
      title: `${title}.blake3.create().xofInto`,
      covers: [],
      run(given) {
        const hasher = blake3.create(given.options({ context: given.bytes(bytes(9)) })) as Methods;
        return (hasher.update(given.bytes(MESSAGE.slice())) as Methods).xofInto(given.out(bytes(200)));
      },
    },
  ];
}

function tweetnacl(title: string, library: Library): Row[] {
  const { box, secretbox } = library as unknown as {
    box: Any & Record<string, Any & Methods>;
    secretbox: Any & Methods;
  };
  const { fromSecretKey } = box.keyPair as unknown as Record<
    string,
    (secret: Uint8Array) => { publicKey: Uint8Array; secretKey: Uint8Array }
  >;
  const [alice, bob] = [fromSecretKey(bytes(32, 3)), fromSecretKey(bytes(32, 9))];
  const nonce = bytes(24);
  const pairs: readonly (readonly [seal: string, Any, open: string, Any, ...keys: Uint8Array[]])[] = [
    ['secretbox', secretbox, 'secretbox.open', secretbox.open, key],
    ['box', box, 'box.open', box.open, bob.publicKey, alice.secretKey],
    ['box.after', box.after, 'box.open.after', box.open.after, key],
  ];
  return pairs.flatMap(([sealName, seal, openName, open, ...keys]): Row[] => {
    const sealed = seal(MESSAGE, nonce, ...keys) as Uint8Array;
    const others = (given: Given): Uint8Array[] => [nonce, ...keys].map((each) => given.bytes(each.slice()));
    return [
      // The original hangs `open` on both.
      {
        title: `${title}.${sealName}`,
        covers: [`${title}.${sealName}`, `${title}.${sealName}.open`],
        run: (given) => seal(given.bytes(MESSAGE.slice()), ...others(given)),
      },
      {
        title: `${title}.${openName}`,
        covers: [`${title}.${openName}`],
        run: (given) => open(given.bytes(sealed.slice()), ...others(given)),
      },
    ];
  });
}

function libsodium(title: string, sodium: Library): Row[] {
  const rows: Row[] = [];
  const row = (name: string, ...values: unknown[]): unknown => {
    rows.push({
      title: `${title} ${name}`,
      covers: [`${title} ${name}`],
      run: (given) =>
        sodium[name](...values.map((value) => (value instanceof Uint8Array ? given.bytes(value.slice()) : value))),
    });
    return sodium[name](...values);
  };
  /** A function that the smaller build lacks. */
  const has = (name: string): boolean => typeof sodium[name] === 'function';
  const AAD = bytes(13);
  const long = bytes(9000, 5);
  const pairs = [bytes(32, 3), bytes(32, 9)].map(
    (seed) => sodium.crypto_box_seed_keypair(seed) as { publicKey: Uint8Array; privateKey: Uint8Array },
  );
  for (const [name, ...keys] of [
    ['crypto_secretbox', key],
    ['crypto_box', pairs[0].publicKey, pairs[1].privateKey],
  ] as const) {
    const opened = name === 'crypto_box' ? [pairs[1].publicKey, pairs[0].privateKey] : keys;
    row(`${name}_open_easy`, row(`${name}_easy`, long, bytes(24), ...keys), bytes(24), ...opened);
    const { ciphertext, cipher, mac } = row(`${name}_detached`, long, bytes(24), ...keys) as Record<string, Uint8Array>;
    row(`${name}_open_detached`, ciphertext ?? cipher, mac, bytes(24), ...opened);
  }
  row('crypto_box_open_easy_afternm', row('crypto_box_easy_afternm', long, bytes(24), key), bytes(24), key);
  for (const [name, length] of [
    ['chacha20poly1305', 8],
    ['chacha20poly1305_ietf', 12],
    ['xchacha20poly1305_ietf', 24],
  ] as const) {
    const nonce = bytes(length);
    row(
      `crypto_aead_${name}_decrypt`,
      null,
      row(`crypto_aead_${name}_encrypt`, long, AAD, null, nonce, key),
      AAD,
      nonce,
      key,
    );
    const { ciphertext, mac } = row(`crypto_aead_${name}_encrypt_detached`, long, AAD, null, nonce, key) as Record<
      string,
      Uint8Array
    >;
    row(`crypto_aead_${name}_decrypt_detached`, null, ciphertext, mac, AAD, nonce, key);
  }
  for (const [name, length] of [
    ['chacha20', 8],
    ['chacha20_ietf', 12],
    ['xchacha20', 24],
  ] as const) {
    if (has(`crypto_stream_${name}`)) row(`crypto_stream_${name}`, 5000, key, bytes(length));
    if (has(`crypto_stream_${name}_xor`)) row(`crypto_stream_${name}_xor`, long, bytes(length), key);
    if (has(`crypto_stream_${name}_xor_ic`)) row(`crypto_stream_${name}_xor_ic`, long, bytes(length), 3, key);
  }
  for (const its of ['onetimeauth', 'auth', 'auth_hmacsha256', 'auth_hmacsha512', 'auth_hmacsha512256'])
    if (has(`crypto_${its}`)) row(`crypto_${its}_verify`, row(`crypto_${its}`, long, key), long, key);
  for (const name of ['crypto_hash', 'crypto_hash_sha256', 'crypto_hash_sha512']) if (has(name)) row(name, long);
  row('crypto_generichash', 32, bytes(20_000, 5), key);
  if (has('crypto_pwhash')) {
    row('crypto_pwhash', 32, bytes(9), bytes(16, 3), 1, 2 ** 20, 2);
    row('crypto_pwhash_str_verify', sodium.crypto_pwhash_str(bytes(9), 1, 2 ** 20), bytes(9));
    // Its text has a random salt.
    const [name, verify] = ['crypto_pwhash_str', sodium.crypto_pwhash_str_verify];
    rows.push({
      title: `${title} ${name}`,
      covers: [`${title} ${name}`],
      run: (given) => verify(sodium[name](given.bytes(bytes(9)), 1, 2 ** 20), bytes(9)),
    });
  }
  const prefix = 'crypto_secretstream_xchacha20poly1305';
  const states = (): { push: unknown; pull: unknown } => {
    const { state, header } = sodium[`${prefix}_init_push`](key) as Record<string, unknown>;
    return { push: state, pull: sodium[`${prefix}_init_pull`](header, key) };
  };
  rows.push({
    title: `${title} ${prefix}, there and back`,
    covers: [`${title} ${prefix}_push`, `${title} ${prefix}_pull`],
    run(given) {
      const { push, pull } = states();
      const sealed = sodium[`${prefix}_push`](
        push,
        given.bytes(long.slice()),
        given.bytes(AAD.slice()),
        1,
      ) as Uint8Array;
      return sodium[`${prefix}_pull`](pull, given.bytes(sealed), given.bytes(AAD.slice()));
    },
  });
  return rows;
}

/** Its programs call the original's own functions, which call ours. */
function blake3Wasm(title: string, library: Library): Row[] {
  const row = (name: string, covers: readonly string[], run: Row['run']): Row => ({
    title: `${title} ${name}`,
    covers: covers.map((each) => `${title} ${each}`),
    run,
  });
  const message = (given: Given): Uint8Array => given.bytes(MESSAGE.slice());
  const its = (given: Given): Uint8Array => given.bytes(key.slice());
  const used = (given: Given, hasher: unknown): unknown =>
    ((hasher as Methods).update(message(given)) as Methods).digest(given.options({ length: 40 }));
  return [
    row('hash', ['hash'], (given) => library.hash(message(given), given.options({ length: 40 }))),
    row('keyedHash', [], (given) => library.keyedHash(its(given), message(given), given.options({ length: 40 }))),
    row('deriveKey', [], (given) => library.deriveKey('context', message(given), given.options({ length: 40 }))),
    row('createHash', ['create_hasher', 'Blake3Hash'], (given) => used(given, library.createHash())),
    row('createKeyed', ['create_keyed'], (given) => used(given, library.createKeyed(its(given)))),
    row('createDeriveKey', ['create_derive'], (given) => used(given, library.createDeriveKey('context'))),
    row('reader', ['HashReader'], (given) => {
      const hasher = library.createHash() as Methods;
      hasher.update(message(given));
      const out = given.out(bytes(200));
      (hasher.reader(given.options({ dispose: true })) as Methods).readInto(out);
      return out;
    }),
  ];
}

function blake3Jit(title: string, library: Library): Row[] {
  const row = (name: string, covers: readonly string[], run: Row['run']): Row => ({
    title: `${title} ${name}`,
    covers: covers.flatMap((each) => [
      `${title} ${each}`,
      ...(each === 'XofReader' ? [] : [`${title} default.${each}`]),
    ]),
    run,
  });
  const message = (given: Given): Uint8Array => given.bytes(MESSAGE.slice());
  const used = (given: Given, hasher: unknown): unknown =>
    ((hasher as Methods).update(message(given)) as Methods).finalize(40);
  const Hasher = library.Hasher as unknown as new (...values: unknown[]) => unknown;
  return [
    row('hash', ['hash'], (given) => library.hash(message(given), 40)),
    row('hashInto', ['hashInto'], (given) => {
      const out = given.out(bytes(40));
      library.hashInto(message(given), out);
      return out;
    }),
    row('createHasher', ['createHasher', 'Hasher'], (given) => used(given, library.createHasher())),
    row('new Hasher', [], (given) => used(given, new Hasher(given.bytes(words(8) as never), 16))),
    row('createKeyed', ['createKeyed'], (given) => used(given, library.createKeyed(given.bytes(key.slice())))),
    row('createDeriveKey', ['createDeriveKey'], (given) => used(given, library.createDeriveKey('context'))),
    row('finalizeXof', ['XofReader'], (given) => {
      const hasher = (library.createHasher() as Methods).update(message(given)) as Methods;
      return (hasher.finalizeXof() as Methods).read(200);
    }),
  ];
}

function hashWasm(title: string, library: Library): Row[] {
  const costs = { iterations: 1, memorySize: 8, parallelism: 1, hashLength: 32 };
  const row = (name: string, run: Row['run']): Row => ({
    title: `${title} ${name}`,
    covers: [`${title} ${name}`],
    run,
  });
  const inputs = (given: Given): object => ({
    password: given.bytes(bytes(9)),
    salt: given.bytes(bytes(16, 3)),
    secret: given.bytes(bytes(5)),
  });
  return [
    ...['argon2d', 'argon2i', 'argon2id'].map((name) =>
      row(name, (given) => library[name](given.options({ ...costs, ...inputs(given) }))),
    ),
    row('argon2Verify', (given) =>
      library.argon2Verify({
        password: given.bytes(bytes(9)),
        // Of the original's argon2id, for the bytes above without a secret.
        hash: '$argon2id$v=19$m=8,t=1,p=1$AwoRGB8mLTQ7QklQV15lbA$hwiqlYCj+xT8FJEJf0RNQA9pktyYBKRc1sNshGDMmxU',
      }),
    ),
  ];
}

const withinMakers: Readonly<Record<string, (title: string, library: Library) => Row[]>> = {
  'blake3-wasm': blake3Wasm,
  'blake3-jit': blake3Jit,
  'hash-wasm': hashWasm,
};

const makers: Readonly<Record<string, (title: string, library: Library) => Row[]>> = {
  'noble-ciphers': nobleCiphers,
  'noble-hashes': nobleHashes,
  tweetnacl,
};

const modules: Readonly<Record<string, readonly string[]>> = {
  'noble-ciphers': ['chacha', 'salsa', '_poly1305'],
  'noble-hashes': ['blake3'],
  tweetnacl: ['nacl-fast'],
};

/** The rows of a library beside those of its original. */
const beside = (ours: readonly Row[], theirs: readonly Row[]): Row[] =>
  ours.map((row, i) => ({ ...row, original: theirs[i].run }));

const found: Row[] = [];
for (const line of lines) {
  const title = `${line.package} ${line.major}`;
  if (line.within) {
    const [ours, theirs] = withinOf(line).map(({ program }) => withinMakers[line.package](title, program as Library));
    found.push(...beside(ours, theirs));
  } else if (line.entries) {
    const [ours, theirs] = (await sodiumOf(line)) as [Library, Library];
    found.push(...beside(libsodium(title, ours), libsodium(title, theirs)));
  } else
    for (const module of modules[line.package]) {
      const [ours, theirs] = (await pairOf(line, module)) as [Library, Library];
      const rowsOf = (library: Library): Row[] => makers[line.package](`${title} ${module}`, library);
      found.push(...beside(rowsOf(ours), rowsOf(theirs)));
    }
}
export const rows: readonly Row[] = found;
