import type { Poly1305Functions } from '../../kernels/poly1305-module.ts';
export function poly1305(_memory: ArrayBuffer): Poly1305Functions { throw new Error('not generated'); }
