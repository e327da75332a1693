/** The module that `bundle.ts` makes. */
declare module 'lanewise:files' {
  const files: {
    readonly vectors: Readonly<Record<string, string>>;
    readonly wasm: readonly string[];
    readonly tables: Readonly<Record<string, readonly string[]>>;
  };
  export default files;
}
