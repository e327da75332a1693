/** Modules without declarations of their own. */
declare module '*.wasm' {
  const bytes: Uint8Array<ArrayBuffer>;
  export default bytes;
}

declare module 'hacl-wasm' {
  const api: { getInitializedHaclModule(): Promise<unknown> };
  export default api;
}
