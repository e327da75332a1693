/** ChaCha20-Poly1305-SIV is made of functions that the kernels of ChaCha have: it has none of its own. */
export { chachaInstance } from '../chacha/binding.ts';
