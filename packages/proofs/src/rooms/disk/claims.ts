// All claims about the kernels of disk encryption except bounds and wiping.
import { onText } from '../../javascript/runner.ts';
import type { KernelText } from '../../javascript/texts.ts';
import type { Kernel } from '../../kernels.ts';
import type { Claim } from '../../claims/claim.ts';
import { aesClaims, aesTextClaims } from './aes-claims.ts';
import { keyClaims } from './key-claims.ts';
import { nhClaims, nhTextClaims } from './nh-claims.ts';
import { provePages, type Shape } from './page-claims.ts';
import { wholeSetting } from './whole-page.ts';
import { onMachine } from '../../claims/machine.ts';
import { functionClaims } from './function-claims.ts';
import { diskModuleOf, diskTextOf, type DiskKernel } from './functions.ts';
import { namedSetting } from './named-setting.ts';

/**
 * Lengths around blocks of AES and of the stream, one to four sets, and one and two pieces of NH (with the page's last
 * block); sectors and pages.
 */
const LENGTHS = {
  adiantum: [16, 17, 32, 80, 81, 273, 512, 592, 784, 1024, 1040, 1041, 2048, 2064, 2080, 4096, 8192],
  hpolyc: [16, 17, 32, 81, 200, 272, 512, 2048, 4096],
};
/**
 * The lengths of decryption. It differs from encryption only in the direction of AES and in the order of the steps
 * around it.
 */
const LENGTHS_BACK = { adiantum: [16, 81, 1041], hpolyc: [16, 81] };
const MANY = 48;

const ONE = { back: false, rounds: 12, tweakLength: 32, count: 1 } as const;

function shapesOf(cipher: Shape['cipher'], aesBlocks: number): Shape[] {
  const one = { ...ONE, cipher } as const;
  const bothDirections = (shape: Omit<Shape, 'back'>): Shape[] => [false, true].map((back) => ({ ...shape, back }));
  // The parts of a message longer than one stage; the first part consists of whole pieces, or of whole sets.
  const parts = cipher === 'adiantum' ? [1024, 84] : [256, 507];
  return [
    ...LENGTHS[cipher].map((length): Shape => ({ ...one, length })),
    ...LENGTHS_BACK[cipher].map((length): Shape => ({ ...one, back: true, length })),
    ...([8, 20] as const).map((rounds): Shape => ({ ...one, rounds, length: 80 })),
    // The padding of one tweak ends where the next begins.
    { ...one, count: 2, tweakLength: 12, length: MANY },
    ...bothDirections({ ...one, count: aesBlocks + 1, length: MANY }),
    { ...one, count: 2, length: 100 },
    ...bothDirections({ ...one, length: parts[0] + parts[1] + 16, parts }),
  ];
}

const upTo = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, i) => from + i);

/** The limits up to which every length and number is claimed. */
interface Far {
  readonly length: number;
  readonly tweakLength: number;
  /** The number of groups of pages, each of as many pages as AES takes at once; one more page follows. */
  readonly groups: number;
}
/** A set of the stream and the last block; a head of four blocks; two groups. */
const FAR: Far = { length: 256 + 16, tweakLength: 64, groups: 2 };
/**
 * The same functions in other instructions: a block of the stream and the last block; a head of three blocks; one
 * group.
 */
const NEAR: Far = { length: 64 + 16, tweakLength: 48, groups: 1 };

function pageClaims(kernel: DiskKernel, far: Far): Claim[] {
  const { aesBlocks } = kernel;
  const mostPages = far.groups * aesBlocks + 1;
  return (['adiantum', 'hpolyc'] as const).flatMap((cipher) => {
    const claim = (text: string, shapes: readonly Shape[]): Claim => ({
      kernel: kernel.name,
      topic: cipher,
      claim: `${cipher}: ${text}`,
      async prove() {
        for (const shape of shapes) await provePages(aesBlocks, shape, namedSetting(kernel));
      },
    });
    const one = { ...ONE, cipher, length: MANY } as const;
    return [
      ...shapesOf(cipher, aesBlocks).map((shape) =>
        claim(
          `${shape.back ? 'decrypt' : 'encrypt'}, ${shape.rounds} rounds, tweak of ${shape.tweakLength}, ` +
            (shape.parts ? `${shape.length} bytes in parts` : `${shape.count} of ${shape.length} bytes`),
          [shape],
        ),
      ),
      claim(
        `every page of 16 to ${far.length} bytes`,
        upTo(16, far.length).map((length) => ({ ...one, length })),
      ),
      claim(
        `every tweak of up to ${far.tweakLength} bytes`,
        upTo(0, far.tweakLength).map((tweakLength) => ({ ...one, tweakLength })),
      ),
      claim(
        `every number of pages up to ${mostPages}`,
        upTo(1, mostPages).map((count) => ({ ...one, count })),
      ),
    ];
  });
}

/** A page of 2048 bytes in which AES and NH run where they are called, from the cipher's own key on. */
const WHOLE = 2048;

const wholeClaims = (kernel: Kernel, aesBlocks: number): Claim[] =>
  (['adiantum', 'hpolyc'] as const).flatMap((cipher) =>
    [false, true].map((back) => ({
      kernel: kernel.name,
      topic: cipher,
      claim: `${cipher}: ${back ? 'decrypt' : 'encrypt'}, a page of ${WHOLE} bytes from the cipher's key on, with AES and NH`,
      prove() {
        const shape: Shape = { cipher, back, rounds: 12, tweakLength: 32, count: 1, length: WHOLE };
        return provePages(aesBlocks, shape, wholeSetting(kernel, aesBlocks, shape.rounds));
      },
    })),
  );

export function diskClaims(kernel: Kernel): Claim[] {
  const own = diskModuleOf(kernel);
  const { aesBlocks } = own;
  return [
    ...aesClaims(kernel),
    ...nhClaims(kernel),
    ...functionClaims(own),
    ...keyClaims(onMachine(kernel), aesBlocks),
    ...pageClaims(own, kernel.form === 'relaxed' ? FAR : NEAR),
    ...wholeClaims(kernel, aesBlocks),
  ];
}

export function diskTextClaims(text: KernelText): Claim[] {
  const own = diskTextOf(text);
  return [
    ...aesTextClaims(text),
    ...nhTextClaims(text),
    ...functionClaims(own),
    ...keyClaims(onText(text), own.aesBlocks),
    ...pageClaims(own, NEAR),
  ];
}
