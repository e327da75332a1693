// The intrinsics that the text imports from engine/intrinsics.ts: Uint8Array, Int32Array, their `fill` and `copyWithin`
// as functions, and Math.imul. Nothing else in a text may have one of these names.

export const INTRINSICS = ['Bytes', 'Words', 'fillBytes', 'imul', 'moveBytes'] as const;
export type Intrinsic = (typeof INTRINSICS)[number];

export const isIntrinsic = (name: string): name is Intrinsic => (INTRINSICS as readonly string[]).includes(name);

/** The module of the intrinsics, relative to the folder of the generated files. */
export const INTRINSICS_FROM = '../../engine/intrinsics.ts';
