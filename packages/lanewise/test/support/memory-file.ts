/** A file in memory, as workers have them. */
export function memoryFile(start: Uint8Array = new Uint8Array()) {
  let content = start.slice();
  const resize = (size: number): void => {
    const next = new Uint8Array(size);
    next.set(content.subarray(0, size));
    content = next;
  };
  return {
    content: (): Uint8Array => content,
    read(into: Uint8Array, { at }: { at: number }): number {
      const from = content.subarray(at, at + into.length);
      into.set(from);
      return from.length;
    },
    write(from: Uint8Array, { at }: { at: number }): number {
      if (at + from.length > content.length) resize(at + from.length);
      content.set(from, at);
      return from.length;
    },
    truncate: resize,
    flush(): void {},
    getSize: (): number => content.length,
  };
}
