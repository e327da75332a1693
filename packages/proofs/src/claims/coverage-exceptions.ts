// What no claim about results runs, and why nothing does: the only places that a coverage claim forgives. A place is a
// function of the kernel and the number of an instruction in it, or in a text of a condition. An entry that is not needed
// is an error, too.

interface Exception {
  readonly reason: string;
  readonly kernels: readonly string[];
  readonly places: readonly string[];
}

export const EXCEPTIONS: readonly Exception[] = [
  {
    reason: 'A message that is long enough for the woven loop has blocks that the cipher does before it.',
    kernels: [
      ...['chacha long relaxed', 'chacha long swizzle', 'salsa long swizzle'],
      ...['secretbox-chacha relaxed', 'secretbox-chacha swizzle'],
    ],
    places: ['encrypt 33: if always holds'],
  },
  {
    reason: 'A message that is put aside has at least the block of the one-time key.',
    kernels: [
      ...['chacha long relaxed', 'chacha long swizzle'],
      ...['salsa long swizzle', 'salsa long scalar'],
      ...['secretbox-chacha relaxed', 'secretbox-chacha swizzle', 'secretbox-chacha scalar'],
    ],
    places: ['open 21: if always holds'],
  },
  {
    reason: 'The same, without the choice between short messages and long ones.',
    kernels: ['chacha short relaxed', 'chacha short swizzle', 'salsa short swizzle', 'salsa short scalar'],
    places: ['open 17: if always holds'],
  },
  {
    reason: 'The same in the text.',
    kernels: ['salsa js', 'secretbox-chacha js'],
    places: ['open 2: condition always holds'],
  },
  {
    reason: 'With vectors, the kernels for short messages XOR one block or two and are never called for none or more.',
    kernels: ['chacha short relaxed', 'chacha short swizzle', 'salsa short swizzle'],
    places: ['function 2 12: if always holds'],
  },
  {
    reason: 'Where there are lanes, a block that comes without others is the only one that they do not encrypt.',
    kernels: ['serpent swizzle', 'serpent-ctr swizzle'],
    places: ['function 1 1243: br_if never holds'],
  },
  {
    reason: 'Nor do they make its counter, or XOR its keystream.',
    kernels: ['serpent-ctr swizzle'],
    places: [
      'function 2 147: br_if never holds',
      'function 3 8: if always holds',
      'function 3 64: br_if never holds',
      'function 3 70: br_if never holds',
    ],
  },
  {
    reason:
      'Disk encryption knows one kind of state: its nonces are all extended, so no constants are those of short keys.',
    kernels: ['disk relaxed', 'disk swizzle'],
    places: ['function 6 1: if always holds', 'function 6 17: if never holds', 'function 6 28: if always holds'],
  },
  {
    reason: 'The same in the scalar form.',
    kernels: ['disk scalar'],
    places: ['function 2 1: if always holds', 'function 2 17: if never holds', 'function 2 28: if always holds'],
  },
  {
    reason: 'The same in the text.',
    kernels: ['disk js'],
    places: ['inner1 1: condition always holds', 'inner1 2: condition never holds', 'inner1 3: condition always holds'],
  },
  {
    reason:
      'With vectors, the subkeys of several pages are made in lanes, and this function makes that of a single one.',
    kernels: ['disk relaxed', 'disk swizzle'],
    places: ['function 18 44: br_if never holds'],
  },
  {
    reason: 'Without vectors there are no groups of units, and a piece of a message has at least one unit.',
    kernels: ['disk scalar'],
    places: ['nh 11: if always holds'],
  },
  {
    reason: 'The same in the text.',
    kernels: ['disk js'],
    places: ['nh 1: condition always holds'],
  },
];

export const exceptionsOf = (kernel: string): string[] =>
  EXCEPTIONS.filter(({ kernels }) => kernels.includes(kernel)).flatMap(({ places }) => places);
