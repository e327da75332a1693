/**
 * How a room introduces itself to the prover: the `room.ts` of a folder here exports a {@link Room}, and `src/rooms.ts` finds
 * it by its folder. A room has the proofs of the modules of one room of the library, or of several of them.
 *
 * The types that it consists of are those of the tools that use them; none of these files imports a room.
 */
import type { Claim } from '../claims/claim.ts';
import type { Exception } from '../claims/exceptions.ts';
import type { FlowKernel } from '../claims/flow.ts';
import type { CallForm } from '../claims/form.ts';
import type { LeftBy } from '../claims/left.ts';
import type { Recorded } from '../claims/recorded.ts';
import type { Way } from '../claims/ways.ts';
import type { SecretAddresses } from '../constant-time/labels.ts';
import type { KernelText } from '../javascript/texts.ts';
import type { Form, Kernel } from '../kernels.ts';
import type { Fault } from '../mutations/fault.ts';
import type { RandomCalls } from '../mutations/random-calls.ts';
import type { Numbers } from '../public-numbers/lists.ts';

/** The way in which recorded calls are repeated on a module. */
export interface WipingProofs {
  /** The instances that run a kernel; unless given, that of the module's name, with `long` or `short` if it has two. */
  readonly slots?: (kernel: Kernel) => readonly string[];
  /** The address from which on all bytes that a decryption writes are ciphertext or tag. */
  readonly ciphertextFrom: number;
}

/** The data about a module that the tests of the claims need. */
export interface MutationProofs {
  /** An exported function whose first parameter is an i32, and the address of a word of the key. */
  readonly leak: { readonly name: string; readonly key: number };
  /** An exported function whose first constant has an effect on its result. */
  readonly constantIn: string;
  /** For each exported function, the beginnings of the names of claims that call it, the cheapest first. */
  readonly about: Readonly<Record<string, readonly string[]>>;
  readonly calls: RandomCalls;
}

/** All claims about the kernels of a module, and about its text. */
export interface ModuleProofs {
  /** Claims about results: each exported function equals its specification. */
  readonly results: (kernel: Kernel) => Claim[];
  /** The same claims about the text of the `js` engine, if the module has one. */
  readonly textResults: (text: KernelText) => Claim[];
  /** Claims about every length that a call may have. Their contracts are proved by induction, and by claims about results. */
  readonly everyLength?: (kernel: Kernel) => Claim[];
  /** The functions that the module of a text doesn't have from the scalar module: claims/text-functions.ts. None unless given. */
  readonly ownInText?: {
    readonly functions: number;
    /** Those of them that are claimed of the text itself, because doubles aren't compared with a module's. None unless given. */
    readonly inDoubles?: number;
    readonly why: string;
    /** Claims of induction about their loops, of the text or of its module. */
    readonly induction?: (text: KernelText) => Claim[];
  };
  /** Calls that are followed without values, for bounds. */
  readonly bounds: (kernel: FlowKernel, form: CallForm) => Claim[];
  /** Ways to call a kernel by one number, for messages of up to `most` bytes, for the claims "left in memory". */
  readonly ways: (kernel: FlowKernel, form: CallForm, most: number) => Way[];
  /** For each exported function that the library calls, the places where it leaves bytes that depend on a secret. */
  readonly left: LeftBy;
  /** Exported functions that only the kernel itself and the claims call. */
  readonly inner?: readonly string[];
  /** Slow forms, whose messages are kept short in claims that try every length. */
  readonly slowForms?: readonly Form[];
  /**
   * Parameters of exported functions that depend on secrets, because the primitive is defined so, and that are addresses of
   * loads. Only scrypt has one.
   */
  readonly secretAddresses?: SecretAddresses;
  /** Exported functions that return whether a tag is valid. */
  readonly verdicts: readonly string[];
  readonly wiping: WipingProofs;
  readonly numbers: Numbers;
  readonly mutations: MutationProofs;
}

export interface Room {
  /** The proofs of each module, by its name without its size: `chacha` for `chacha short` and `chacha long`. */
  readonly modules: Readonly<Record<string, ModuleProofs>>;
  /** The calls of public modules whose use of memory is recorded. */
  readonly recorded: Recorded;
  /** Claims about results of other rooms' modules, as the public modules of this room call them. */
  readonly borrowed?: Readonly<Record<string, Pick<ModuleProofs, 'results' | 'textResults'>>>;
  /** Places that claims about results do not reach, with the reason. */
  readonly exceptions: readonly Exception[];
  /** Faults that the claims have to find, and how. */
  readonly faults: readonly Fault[];
}
