/**
 * Reproducible random numbers: ChaCha8Rand (C2SP chacha8rand.md), the generator of Go's `math/rand/v2`. A seed of 32 bytes
 * gives the same numbers in every engine, and the same as in Go.
 *
 * For simulations, tests, games and shuffles that must be repeatable. Without the seed its output can't be distinguished from random bytes, and
 * after at most 992 further bytes even the state doesn't reveal earlier output. For keys and
 * nonces use {@link randomBytes}: the host's generator needs no seed that could be lost or reused.
 * @module
 */
export { chacha8rand, type ChaCha8Rand, type ChaCha8RandFunction } from './random/generator.ts';
export { randomBytes } from './calls/random.ts';
