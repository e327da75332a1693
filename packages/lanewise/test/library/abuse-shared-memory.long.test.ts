/**
 * Another thread writes to memory while a call reads it. Each byte is read once, so the result belongs to some state of the
 * memory between the two that the thread writes: opening gives one of the two messages, or the tag is wrong.
 */
// Runs in Node only: starts threads of Node, which write while a call reads.
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import sodium from 'libsodium-wrappers-sumo';
import { chacha20, xchacha20poly1305 } from '../../src/chacha.ts';
import { STAGE_BYTES } from '../../src/keystream/map.ts';
import { secretbox } from '../../src/salsa.ts';
import { chacha20poly1305siv } from '../../src/siv.ts';
import { secretstream } from '../../src/stream.ts';
import { expectBytes, refusal, sample } from '../support/bytes.ts';
import { onEachEngine } from '../support/engines.ts';
import * as oracles from '../support/oracles.ts';

await sodium.ready;
const key = sample(32, 81);
const nonce = sample(24, 82);
const aad = sample(10, 83);
const box = (): ReturnType<typeof xchacha20poly1305> => xchacha20poly1305(key, nonce, aad);

/** Two messages of one length that differ in each byte, and their ciphertexts. */
function pairOf(length: number) {
  const plaintexts = [sample(length, 84), sample(length, 84).map((byte) => byte ^ 0x5a)];
  return { plaintexts, sealed: plaintexts.map((plaintext) => oracles.seal(key, nonce, aad, plaintext)) };
}

/** Writes both messages in turn, a byte at a time and as fast as it can, until it is told to stop. */
const WRITER = `
const { parentPort, workerData: { shared, states, running } } = require('node:worker_threads');
parentPort.postMessage('ready');
Atomics.wait(running, 0, 0);
for (let turn = 0; Atomics.load(running, 0) === 1; turn++) {
  const state = states[turn & 1];
  for (let i = 0; i < state.length; i++) shared[i] = state[i];
  Atomics.add(running, 1, 1);
  // The message stays whole for a moment, so that the right tag is seen, too.
  for (let i = 0; i < 2 * state.length + 300; i++) Atomics.load(running, 0);
}
parentPort.postMessage('done');
`;

class Writer {
  readonly shared: Uint8Array<SharedArrayBuffer>;
  readonly #running = new Int32Array(new SharedArrayBuffer(8));
  readonly #worker: Worker;
  readonly #ready: Promise<unknown>;

  constructor(states: readonly Uint8Array[]) {
    this.shared = new Uint8Array(new SharedArrayBuffer(states[0].length));
    this.shared.set(states[0]);
    const workerData = { shared: this.shared, states, running: this.#running };
    this.#worker = new Worker(WRITER, { eval: true, workerData });
    this.#ready = new Promise((resolve) => this.#worker.once('message', resolve));
  }

  async start(): Promise<void> {
    await this.#ready;
    Atomics.store(this.#running, 0, 1);
    Atomics.notify(this.#running, 0);
  }

  /** The number of whole messages that were written. */
  get turns(): number {
    return Atomics.load(this.#running, 1);
  }

  async stop(): Promise<void> {
    Atomics.store(this.#running, 0, 2);
    await this.#worker.terminate();
  }
}

/** Makes at least `least` calls, and more until the other thread was seen at work, for at most 20 seconds. */
function repeated(least: number, call: () => void, enough: () => boolean): number {
  const end = performance.now() + 20_000;
  let count = 0;
  while (count < least || (!enough() && performance.now() < end)) {
    call();
    count++;
  }
  return count;
}

const OPENS = 100_000;
const LONG = 2 * STAGE_BYTES + 100;

onEachEngine(() => {
  describe.each([
    { length: 24, opens: OPENS },
    { length: 600, opens: OPENS / 20 },
    { length: LONG, opens: 30 },
  ])('$length bytes', ({ length, opens }) => {
    const { plaintexts, sealed } = pairOf(length);
    let writer: Writer;
    beforeAll(async () => {
      writer = new Writer(sealed);
      await writer.start();
    });
    afterAll(() => writer.stop());

    /** The index of the message that opening gives; -1 for a wrong tag. */
    function open(out?: Uint8Array): number {
      try {
        const plaintext = box().decrypt(writer.shared, out);
        const which = plaintexts.findIndex((each) => Buffer.compare(each, plaintext) === 0);
        if (which < 0) expect.fail('a plaintext that nobody has sealed');
        return which;
      } catch (error) {
        if (!(error instanceof Error) || String(error) !== 'Error: invalid tag') throw error;
        return -1;
      }
    }

    test(`at least ${opens} opens: each gives what was sealed, or the tag is wrong`, () => {
      const seen = { '-1': 0, 0: 0, 1: 0 };
      const before = writer.turns;
      const count = repeated(
        opens,
        () => seen[open() as 0 | 1 | -1]++,
        () => seen[-1] > 0 && seen[0] > 0 && seen[1] > 0,
      );
      expect(seen[-1] + seen[0] + seen[1]).toBe(count);
      // There was a race: some calls saw a message that the thread had written in part.
      expect(writer.turns).toBeGreaterThan(before);
      expect(seen[-1]).toBeGreaterThan(0);
      expect(seen[0] + seen[1]).toBeGreaterThan(0);
    });

    test('a plaintext that goes to out is there whole or not at all', () => {
      const [out, untouched] = [new Uint8Array(length).fill(0xa5), new Uint8Array(length).fill(0xa5)];
      const seen = { refused: 0, opened: 0 };
      repeated(
        Math.ceil(opens / 4),
        () => {
          out.set(untouched);
          const which = open(out);
          if (which < 0) {
            seen.refused++;
            expectBytes(out, untouched, 'after a wrong tag');
          } else {
            seen.opened++;
            expectBytes(out, plaintexts[which], 'out');
          }
        },
        () => seen.refused > 0 && seen.opened > 0,
      );
      expect([seen.refused > 0, seen.opened > 0]).toEqual([true, true]);
    });

    test('what is sealed while it changes opens, to bytes of the one or the other state', () => {
      const [a, b] = sealed;
      let mixed = 0;
      repeated(
        Math.ceil(opens / 20),
        () => {
          const plaintext = box().decrypt(box().encrypt(writer.shared));
          let [ofA, ofB] = [0, 0];
          for (let i = 0; i < plaintext.length; i++) {
            if (plaintext[i] === a[i]) ofA++;
            else if (plaintext[i] === b[i]) ofB++;
            else expect.fail(`byte ${i} is of neither`);
          }
          if (ofA > 0 && ofB > 0) mixed++;
        },
        () => mixed > 0,
      );
      expect(mixed).toBeGreaterThan(0);
    });
  });

  // The ciphertext of a stream's message is copied first, that of an AEAD decrypted into a copy.
  const shortNonce = nonce.subarray(0, 16);
  const header = nonce;
  test.each([
    {
      name: 'secretbox',
      seal: (message: Uint8Array) => secretbox(key, nonce).seal(message),
      open: (sealed: Uint8Array, out: Uint8Array) => secretbox(key, nonce).open(sealed, out),
    },
    {
      name: 'SIV',
      seal: (message: Uint8Array) => chacha20poly1305siv(key, shortNonce).encrypt(message),
      open: (sealed: Uint8Array, out: Uint8Array) => chacha20poly1305siv(key, shortNonce).decrypt(sealed, out),
    },
    {
      name: 'secretstream',
      seal: (message: Uint8Array) => {
        const state = sodium.crypto_secretstream_xchacha20poly1305_init_pull(header, key);
        return sodium.crypto_secretstream_xchacha20poly1305_push(state, message, null, 0);
      },
      open: (sealed: Uint8Array, out: Uint8Array) => secretstream(key).opener({ header }).push(sealed, out),
    },
  ])('$name: a long plaintext that goes to out is there whole or not at all', async ({ seal, open }) => {
    const { plaintexts } = pairOf(LONG + 4);
    const writer = new Writer(plaintexts.map(seal));
    await writer.start();
    const untouched = new Uint8Array(LONG + 4).fill(0xa5);
    const seen = { refused: 0, opened: 0 };
    repeated(
      10,
      () => {
        const out = untouched.slice();
        const outcome = refusal(() => open(writer.shared, out));
        expect(outcome).toMatch(/invalid tag|not authentic|nothing was refused/);
        const refused = outcome !== 'nothing was refused';
        seen[refused ? 'refused' : 'opened']++;
        const allowed = refused ? [untouched] : plaintexts;
        if (!allowed.some((each) => Buffer.compare(each, out) === 0)) expect.fail('bytes that nobody has sealed');
      },
      () => seen.refused > 0 && seen.opened > 0,
    );
    await writer.stop();
    expect([seen.refused > 0, seen.opened > 0]).toEqual([true, true]);
  });

  test('a key in shared memory is read once', () => {
    // One thread is enough to see this: writing to the key after the object was made changes nothing.
    const shared = new Uint8Array(new SharedArrayBuffer(32));
    shared.set(key);
    const [seal, stream] = [xchacha20poly1305(shared, nonce, aad), chacha20.stream(shared, nonce.subarray(0, 12))];
    shared.fill(0xff);
    const { plaintexts, sealed } = pairOf(100);
    expectBytes(seal.encrypt(plaintexts[0]), sealed[0], 'encrypt');
    const expected = oracles.chacha20(key, nonce.subarray(0, 12), plaintexts[0]);
    expectBytes(stream.update(plaintexts[0]), expected, 'stream');
    expect(refusal(() => xchacha20poly1305(shared, nonce, aad).decrypt(sealed[0]))).toBe('Error: invalid tag');
  });
});
