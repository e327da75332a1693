/** Stateful objects of the drop-in packages. */
import { lines } from '../../drop-ins/src/lines.ts';
import { pairOf, sodiumOf, withinOf } from './inventory.ts';
import { first, joined, key, second, type Machine, type Methods } from './machine.ts';

export const ofDropIns: Machine[] = [];
for (const line of lines) {
  const title = `${line.package} ${line.major}`;
  const add = (name: string, covers: readonly string[], its: Omit<Machine, 'title' | 'covers'>): unknown =>
    ofDropIns.push({ title: `${title} ${name}`, covers: covers.map((each) => `${title} ${each}`), ...its });
  if (line.package === 'blake3-jit') {
    const [{ program }] = withinOf(line) as unknown as readonly { program: Methods }[];
    const keyed = (): Methods => (program.createKeyed(key) as Methods).update(first) as Methods;
    const names = ['Hasher', 'createHasher', 'createKeyed', 'createDeriveKey'];
    add('hasher', [...names, ...names.map((name) => `default.${name}`)], {
      make: keyed,
      work: (its: Methods) => void its.update(second),
      rest: (its: Methods) => its.finalize(),
    });
    add('reader', ['XofReader'], {
      make: () => keyed().finalizeXof(),
      work: (its: Methods) => its.read(3000),
      rest: (its: Methods) => its.read(100),
    });
  } else if (line.package === 'blake3-wasm') {
    const [{ program }] = withinOf(line) as unknown as readonly { program: Methods }[];
    const keyed = (): Methods => (program.createKeyed(key) as Methods).update(first) as Methods;
    add('hasher', ['Blake3Hash', 'create_hasher', 'create_keyed', 'create_derive'], {
      make: keyed,
      work: (its: Methods) => void its.update(second),
      rest: (its: Methods) => its.digest(),
    });
    add('reader', ['HashReader'], {
      make: () => keyed().reader(),
      work: (its: Methods) => its.read(3000),
      rest: (its: Methods) => its.read(100),
    });
    add('digest, and on', [], {
      make: keyed,
      work: (its: Methods) => its.digest({ dispose: false }),
      rest: (its: Methods) => (its.update(second) as Methods).digest(),
    });
  } else if (line.entries) {
    const [sodium] = (await sodiumOf(line)) as unknown as [Methods];
    const prefix = 'crypto_secretstream_xchacha20poly1305';
    add('secretstream', [`${prefix}_push`, `${prefix}_pull`], {
      make() {
        const { state, header } = sodium[`${prefix}_init_push`](key) as Record<string, unknown>;
        return { state, pull: sodium[`${prefix}_init_pull`](header, key), sealed: [] };
      },
      work: ({ state, sealed }: { state: unknown; sealed: unknown[] }) =>
        void sealed.push(sodium[`${prefix}_push`](state, second, null, 0)),
      rest({ state, pull, sealed }: { state: unknown; pull: unknown; sealed: unknown[] }) {
        sealed.push(sodium[`${prefix}_push`](state, first, null, 0));
        return joined(
          ...sealed.map((each) => {
            const opened = sodium[`${prefix}_pull`](pull, each, null) as { message: Uint8Array } | false;
            // No error: those stand for a machine that refuses.
            return opened ? opened.message : new TextEncoder().encode('cannot be opened');
          }),
        );
      },
    });
  } else if (line.package === 'noble-ciphers') {
    const [{ poly1305: mac }] = (await pairOf(line, '_poly1305')) as unknown as [{ poly1305: Methods }];
    add(
      '_poly1305.poly1305',
      ['_poly1305.poly1305', '_poly1305.poly1305.create', '_poly1305.Poly1305'].slice(0, line.major === 2 ? 3 : 2),
      {
        make: () => (mac.create(key) as Methods).update(first),
        work: (its: Methods) => void its.update(second),
        rest: (its: Methods) => its.digest(),
      },
    );
  } else if (line.package === 'noble-hashes') {
    const [{ blake3: hash }] = (await pairOf(line, 'blake3')) as unknown as [{ blake3: Methods }];
    add('blake3', ['blake3.blake3', 'blake3.blake3.create', line.major === 2 ? 'blake3._BLAKE3' : 'blake3.BLAKE3'], {
      make: () => (hash.create({ key }) as Methods).update(first),
      work: (its: Methods) => void its.update(second),
      rest: (its: Methods) => its.digest(),
    });
    add('blake3, output', [], {
      make: () => (hash.create({}) as Methods).update(second),
      work: (its: Methods) => its.xof(3000),
      rest: (its: Methods) => its.xof(100),
    });
  }
}
