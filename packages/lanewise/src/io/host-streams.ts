/** The streams of the platform, as the host has them when streams are imported. */
import { hosted } from '../engine/intrinsics.ts';

export const readableStream = /* @__PURE__ */ hosted<typeof ReadableStream>('ReadableStream');
export const writableStream = /* @__PURE__ */ hosted<typeof WritableStream>('WritableStream');
/** Hosts without it have no byte streams. */
export const byteStreamController = /* @__PURE__ */ hosted<object>('ReadableByteStreamController');
