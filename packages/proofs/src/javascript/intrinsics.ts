// What the text imports from engine/intrinsics.ts, the language's own: Uint8Array, Int32Array, their `fill` and
// `copyWithin` as functions, and Math.imul. Nothing in a text may be called so without being that.

export const INTRINSICS = ['Bytes', 'Words', 'fillBytes', 'imul', 'moveBytes'] as const;
export type Intrinsic = (typeof INTRINSICS)[number];

export const isIntrinsic = (name: string): name is Intrinsic => (INTRINSICS as readonly string[]).includes(name);

/** From the folder of the generated files. */
export const INTRINSICS_FROM = '../../engine/intrinsics.ts';
