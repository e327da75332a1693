/** Both modules of `@huggingface/blake3-jit`, version 0: a fork with the names of `blake3-jit`. */
export * from '../1/index.ts';
export { default } from '../1/index.ts';
