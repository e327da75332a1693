/** Streams under a key or a keyring. */
import { Bytes, copyBytes, fillBytes, setWeak } from '../engine/intrinsics.ts';
import { namedKeys } from '../io/named-keys.ts';
import type { Chunked, ChunkedFunction } from '../stream.ts';
import { idOf, KEY_BYTES, keyOf, PREFIX_BYTES, type Keyring } from './keyring.ts';

/** @param prefix - The bytes that name the key in the ring, if there is one. */
export function streamsUnder(
  chunked: ChunkedFunction,
  ring: Keyring | undefined,
  key: Uint8Array,
  prefix: Uint8Array,
  context: Uint8Array,
): Chunked {
  if (!ring) return chunked(key, { context });
  const named = new Bytes(KEY_BYTES + PREFIX_BYTES);
  copyBytes(named, prefix, KEY_BYTES);
  setWeak(namedKeys, named, (header, to) => {
    fillBytes(to, 0);
    copyBytes(to, keyOf(ring, idOf(header, PREFIX_BYTES)));
  });
  try {
    copyBytes(named, key);
    return chunked(named, { context });
  } finally {
    fillBytes(named, 0);
  }
}
