/**
 * Random numbers that can be repeated: ChaCha8Rand (C2SP chacha8rand.md), the generator of Go's `math/rand/v2`. A seed of 32 bytes
 * gives the same numbers in every engine, and the same as in Go.
 *
 * For simulations, tests, games, shuffles that somebody wants to repeat. Nobody can tell its output from chance without
 * the seed, and after at most 992 further bytes nobody can tell the earlier output, even with the state. Keys and
 * nonces still take {@link randomBytes}: the host's generator needs no seed that could be lost or reused.
 * @module
 */
export { chacha8rand, type ChaCha8Rand, type ChaCha8RandFunction } from './random/generator.ts';
export { randomBytes } from './calls/random.ts';
