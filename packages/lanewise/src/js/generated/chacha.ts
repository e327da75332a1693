import type { ChaCha } from '../../kernels/chacha20poly1305.ts';
export function chacha(_memory: ArrayBuffer): ChaCha { throw new Error('not generated'); }
