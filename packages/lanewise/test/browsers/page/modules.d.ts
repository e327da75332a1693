/** Modules that the host compiles. */
declare module 'lanewise/wasm/*.wasm' {
  const module: WebAssembly.Module;
  export default module;
}
