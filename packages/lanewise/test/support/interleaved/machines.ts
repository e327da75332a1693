/** The machines of streams: sealers, openers of streams that are authentic or not, and both ends of a chain of messages. */
import { ChaChaChunks } from '../../../src/stream/chacha-chunks.ts';
import { openerOf, sealerOf } from '../../../src/stream/chunk-transform.ts';
import { secretstream } from '../../../src/stream.ts';
import { secretstreamModel } from '../secretstream-oracle.ts';
import * as models from '../stream-models.ts';
import { chunkingOf, type Machine } from '../stream.ts';
import type { Actor, Family } from './actor.ts';
import type { Kit } from './kit.ts';

const LONGEST = 250_000;

/** The length that bytes have, whatever they say: rooms have views that lie. */
const lengthOf = (bytes: Uint8Array): number =>
  Reflect.get(Object.getPrototypeOf(Uint8Array.prototype) as object, 'byteLength', bytes) as number;
/** The result, or `out` itself if the result has its length: the kit expects that object, and looks at the bytes there. */
const outOr = (result: Uint8Array, out: Uint8Array | undefined): Uint8Array =>
  out && result.length === lengthOf(out) ? out : result;

/** A stream of chunks, mostly short ones, and the same sealed by the model. */
function streamOf({ random }: Kit) {
  const fullLast = random.once(2);
  const chunkLength = random.once(8) ? (fullLast ? 65_536 : 16_384) : random.between(1, 300);
  const chunking = chunkingOf(chunkLength, fullLast);
  const [key, base] = [random.bytes(32), fullLast ? new Uint8Array(12) : random.bytes(12)];
  const plaintext = random.bytes(random.between(0, Math.min(LONGEST, 12 * chunkLength)));
  const sealed = fullLast
    ? models.agePayload(key, plaintext, chunkLength)
    : models.chunkedBody(key, base, plaintext, chunkLength);
  const cipher = (): ChaChaChunks => new ChaChaChunks(key.slice(), base.slice(), fullLast);
  return { chunking, plaintext, sealed, cipher };
}

/** A machine that turns `input` into `output`, a piece at each step. */
function machineActor(kit: Kit, name: string, machine: Machine, input: Uint8Array, output: Uint8Array): Actor {
  const { random } = kit;
  let from = 0;
  let to = 0;
  return {
    name,
    step() {
      if (from === input.length && random.once(2)) {
        if (machine.outputLength() !== output.length - to) throw new Error('another length of the end');
        kit.same(machine.end(), output.subarray(to), `the end at ${from}`);
        kit.refused(() => machine.push(input), /^cannot use an? \w+ after end\(\)$/, 'after end()');
        return false;
      }
      const length = Math.min(input.length - from, random.below(Math.ceil(input.length / 3) + 2));
      const wanted = machine.outputLength(length);
      const expected = output.subarray(to, to + wanted);
      kit.apply(`push at ${from}`, input.subarray(from, from + length), wanted, expected, (bytes, out) =>
        outOr(machine.push(bytes, out), out),
      );
      from += length;
      to += wanted;
      return true;
    },
  };
}

export const sealer: Family = (kit) => {
  const { chunking, plaintext, sealed, cipher } = streamOf(kit);
  const machine = sealerOf(chunking, cipher(), new Uint8Array(0));
  return machineActor(kit, `a sealer of chunks of ${chunking.chunkLength} bytes`, machine, plaintext, sealed);
};

export const opener: Family = (kit) => {
  const { random } = kit;
  const { chunking, plaintext, sealed, cipher } = streamOf(kit);
  const { chunkLength } = chunking;
  const machine = openerOf(chunking, cipher());
  if (!random.once(3))
    return machineActor(kit, `an opener of chunks of ${chunkLength} bytes`, machine, sealed, plaintext);
  // A bit is wrong: the chunks before it come at once, then an error each time.
  const at = random.below(sealed.length);
  const wrong = sealed.slice();
  wrong[at] ^= 1 << random.below(8);
  const chunk = Math.floor(at / (chunkLength + 16));
  const error = new RegExp(`^chunk ${chunk} is not authentic(, or truncated after \\d+ bytes)?$`);
  return {
    name: `an opener of wrong chunks of ${chunkLength} bytes`,
    step() {
      const push = (): Uint8Array => machine.push(kit.given(wrong));
      // A chunk that is not full is opened at the end.
      if (chunk > 0 || sealed.length < chunkLength + 16)
        kit.same(push(), plaintext.subarray(0, chunk * chunkLength), `the ${chunk} chunks before`);
      else kit.refused(push, error, 'the wrong chunk');
      kit.refused(() => machine.end(), error, 'the end');
      kit.refused(push, error, 'after the error');
      return false;
    },
  };
};

export const messages: Family = (kit) => {
  const { random } = kit;
  const key = random.bytes(32);
  const sealer = secretstream(kit.given(key)).sealer();
  const { header } = sealer;
  const model = secretstreamModel(key, header);
  const opener = secretstream(kit.given(key)).opener({ header: kit.given(header) });
  return {
    name: 'secretstream',
    step() {
      if (random.once(6)) for (const each of [sealer, opener, model]) each.rekey();
      const [message, ad] = [random.bytes(kit.length(LONGEST)), random.bytes(kit.length(300))];
      const last = random.once(8);
      const tag = last ? secretstream.TAG_FINAL : random.pick([0, 0, 1, 2, 200]);
      const sealed = model.push(message, ad, tag);
      kit.apply('a message', message, sealed.length, sealed, (bytes, out) =>
        outOr(sealer.push(bytes, out, { tag, ad: kit.given(ad) }), out),
      );
      if (random.once(12)) {
        const wrong = sealed.slice();
        wrong[random.below(wrong.length)] ^= 1 << random.below(8);
        const error = /^message \d+ is not authentic$/;
        kit.refused(() => opener.push(kit.given(wrong), undefined, { ad: kit.given(ad) }), error, 'a forgery');
        kit.refused(() => opener.end(), error, 'after a forgery');
        return false;
      }
      kit.apply('a sealed message', sealed, message.length, message, (bytes, out) =>
        outOr(opener.push(bytes, out, { ad: kit.given(ad) }), out),
      );
      if (!last) return true;
      kit.same(sealer.end(), new Uint8Array(0), 'the end of the sealer');
      kit.same(opener.end(), new Uint8Array(0), 'the end of the opener');
      return false;
    },
  };
};
