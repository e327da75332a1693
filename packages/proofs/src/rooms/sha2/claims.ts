// SHA-256 and SHA-512: the compression of every block onto every chaining value. SHA-224, SHA-384 and SHA-512/256 have other first
// values, and cut digests. What HMAC and PBKDF2 do with compressions is in hmac-claims.ts.
import { DIGEST, INITIAL, INNER, OUTER, STAGE, STAGE_BYTES, STATE } from '../../../../lanewise/src/sha2/map.ts';
import type { Claim } from '../../claims/claim.ts';
import { expectBytes, expectNoEvents, secrets } from '../../claims/compare.ts';
import { onMachine } from '../../claims/machine.ts';
import { onText } from '../../javascript/runner.ts';
import type { KernelText } from '../../javascript/texts.ts';
import type { Kernel } from '../../kernels.ts';
import { constantsClaim } from './constants-claim.ts';
import { hmacStatements } from './hmac-claims.ts';
import { bytesIn, endsOf, machineBytes, machineWords, rangesOf, sizeOf, started, type Subject } from './setting.ts';
import { bytesOf, compress, SHA256, SHA512 } from './specification.ts';
import { halfWords, longWords, shortWords } from './words.ts';

function proveBegin<L>({ kernel, size }: Subject<L>, from: number): void {
  const run = started(kernel, size, rangesOf(size).begin(from));
  const value = secrets('chaining value', bytesIn(size).value);
  run.write(from, value);
  run.call('begin', from);
  expectNoEvents(run, 'begin');
  expectBytes(run, STATE, value, 'the chaining value');
}

function proveCompress<L>({ kernel, size, w }: Subject<L>, address: number, count: number): void {
  const what = `${count} blocks at ${address}`;
  const { value, block } = bytesIn(size);
  const run = started(kernel, size, rangesOf(size).compress(address, count));
  const [before, message] = [secrets('chaining value', value), secrets('message', block * count)];
  run.write(STATE, before);
  run.write(address, message);
  run.call('compress', address, count);
  expectNoEvents(run, what);
  let hash = machineWords(w, size, before);
  for (let i = 0; i < count; i++) hash = compress(w, size, hash, message.slice(block * i, block * (i + 1)));
  expectBytes(run, STATE, machineBytes(w, hash), what);
  expectBytes(run, address, message, `${what}: the message`);
}

function proveDigest<L>({ kernel, size, w }: Subject<L>, to: number, end: number): void {
  const what = `a digest of ${end} bytes at ${to}`;
  const run = started(kernel, size, rangesOf(size).digest(to, end));
  const value = secrets('chaining value', bytesIn(size).value);
  run.write(STATE, value);
  run.call('digest', to, end);
  expectNoEvents(run, what);
  expectBytes(run, to, bytesOf(w, machineWords(w, size, value)).slice(0, end), what);
  expectBytes(run, STATE, value, `${what}: the chaining value`);
}

const statements = <L>(subject: Subject<L>, family: string): Claim[] => {
  const { kernel, size } = subject;
  const claim = (text: string, prove: () => void): Claim => ({
    kernel: kernel.name,
    topic: 'compression',
    claim: text,
    prove,
  });
  const compressed = (text: string, address: number, count: number): Claim =>
    claim(`compression: ${text}, every chaining value and message`, () => proveCompress(subject, address, count));
  // Sums of 64 bits grow with every block.
  // In modules any other number is claimed by induction.
  const counts = size === SHA512 || !kernel.name.endsWith('js') ? [1, 2] : [1, 2, 3];
  return [
    constantsClaim(kernel.name, family, size),
    ...[INITIAL, INNER, OUTER].map((from) =>
      claim(`begin: from ${from}, every chaining value`, () => proveBegin(subject, from)),
    ),
    ...counts.map((count) => compressed(`${count} blocks`, STAGE, count)),
    compressed('1 block at the end of the stage', STAGE + STAGE_BYTES - bytesIn(size).block, 1),
    compressed('1 block where HMAC has its own', DIGEST, 1),
    ...endsOf(size).map((end) =>
      claim(`digest: ${end} bytes of every chaining value`, () => proveDigest(subject, DIGEST, end)),
    ),
    ...hmacStatements(subject),
  ];
};

/** In which words a module, and a text, compute. */
export const sha2Claims = (kernel: Kernel): Claim[] => {
  const size = sizeOf(kernel.family);
  return statements({ kernel: onMachine(kernel), size, w: size === SHA512 ? longWords : shortWords }, kernel.family);
};
export const sha256TextClaims = (text: KernelText): Claim[] =>
  statements({ kernel: onText(text), size: SHA256, w: shortWords }, 'sha256');
export const sha512TextClaims = (text: KernelText): Claim[] =>
  statements({ kernel: onText(text), size: SHA512, w: halfWords }, 'sha512');
