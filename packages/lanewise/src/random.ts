/**
 * Random numbers that can be repeated: ChaCha8Rand (C2SP chacha8rand.md), the generator of Go's `math/rand/v2`. A seed of 32 bytes
 * gives the same numbers in every engine, and the same as in Go.
 *
 * For simulations, tests, games, shuffles that must be repeatable. Without the seed its output cannot be told from chance, and after at most 992
 * further bytes the earlier output is out of reach, even with the state. Keys and
 * nonces still take {@link randomBytes}: the host's generator needs no seed that could be lost or reused.
 * @module
 */
export { chacha8rand, type ChaCha8Rand, type ChaCha8RandFunction } from './random/generator.ts';
export { randomBytes } from './calls/random.ts';
