// Minimal cases of vector code that JavaScriptCore compiles to more instructions than other engines do, on x64.
// Runs alone: `bun vector-code.mjs`, `node vector-code.mjs`, or as a module script of a page. Needs WebAssembly SIMD only.
// Prints nanoseconds for one instruction of each kind, in eight independent chains, beside one that does the same.

const LEB = (n) => (n < 128 ? [n] : [(n & 127) | 128, ...LEB(n >>> 7)]);
const section = (id, bytes) => [id, ...LEB(bytes.length), ...bytes];
const get = (local) => [0x20, local];
const vector = (opcode) => [0xfd, ...LEB(opcode)];
const CHAINS = 8;
const UNROLLED = 16;
/** Locals: 0 is the number of turns, 1 to 8 are the chains, 9 is a vector that comes from memory. */
const OTHER = 9;

/** `f(turns)` runs every chain UNROLLED times in each turn; `step` turns a local into the bytes of its next value. */
function compiled(step) {
  const chains = Array.from({ length: CHAINS }, (_, i) => i + 1);
  const round = chains.flatMap((x) => [...step(x), 0x21, x]);
  const load = (x) => [0x41, 0, ...vector(0), 4, ...LEB(16 * (x % 4)), 0x21, x];
  const store = chains.flatMap((x) => [0x41, 0, ...get(x), ...vector(11), 4, ...LEB(64 + 16 * x)]);
  const loop = [0x03, 0x40, ...Array(UNROLLED).fill(round).flat(), 0x20, 0, 0x41, 1, 0x6b, 0x22, 0, 0x0d, 0, 0x0b];
  const code = [1, 9, 0x7b, ...[...chains, OTHER].flatMap(load), ...loop, ...store, 0x0b];
  const bytes = Uint8Array.of(
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [1, 0x60, 1, 0x7f, 0]),
    ...section(3, [1, 0]),
    ...section(5, [1, 0, 1]),
    ...section(7, [2, 1, 0x66, 0, 0, 1, 0x6d, 2, 0]),
    ...section(10, [1, ...LEB(code.length), ...code]),
  );
  const { f, m } = new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports;
  // Powers of two, so that a multiplication is a shift.
  new Uint32Array(m.buffer, 0, 16).fill(128);
  return f;
}

const shuffle = (...lanes) => [...vector(13), ...lanes.flatMap((lane) => [0, 1, 2, 3].map((i) => 4 * lane + i))];
const kinds = [
  ['i32x4.add, for comparison', (x) => [...get(x), ...get(OTHER), ...vector(0xae)]],
  ['i32x4.shl by a constant', (x) => [...get(x), 0x41, 7, ...vector(0xab)]],
  ['  i32x4.mul by a vector of 2^7', (x) => [...get(x), ...get(OTHER), ...vector(0xb5)]],
  ['i32x4.shr_u by a constant', (x) => [...get(x), 0x41, 7, ...vector(0xad)]],
  ['i8x16.shuffle: the first halves of two vectors', (x) => [...get(x), ...get(OTHER), ...shuffle(0, 1, 4, 5)]],
  [
    '  f64x2.replace_lane 1 of f64x2.extract_lane 0',
    (x) => [...get(x), ...get(OTHER), ...vector(0x21), 0, ...vector(0x22), 1],
  ],
  ['i8x16.shuffle: words of two vectors in turn', (x) => [...get(x), ...get(OTHER), ...shuffle(0, 4, 1, 5)]],
].map(([name, step]) => ({ name, f: compiled(step), best: Infinity }));

const TURNS = 2000;
for (const { f } of kinds) for (let end = performance.now() + 300; performance.now() < end;) f(TURNS);
for (let round = 0; round < 200; round++)
  for (const kind of kinds) {
    const start = performance.now();
    for (let i = 0; i < 4; i++) kind.f(TURNS);
    kind.best = Math.min(kind.best, (performance.now() - start) / 4);
  }
for (const { name, best } of kinds)
  console.log(name.padEnd(48), ((best * 1e6) / (TURNS * UNROLLED * CHAINS)).toFixed(3), 'ns');
