/** The bytes that memory has from the start at an address; undefined unless one segment of the module's data has all of them, alone. */
import type { DecodedModule } from './types.ts';

export function dataAt({ data }: DecodedModule, address: number, length: number): Uint8Array | undefined {
  const [segment, ...others] = data.filter(
    ({ offset, bytes }) => address < offset + bytes.length && address + length > offset,
  );
  if (segment === undefined || others.length > 0 || address < segment.offset) return undefined;
  const bytes = segment.bytes.slice(address - segment.offset, address - segment.offset + length);
  return bytes.length === length ? bytes : undefined;
}
