/** The claim about the constants of SHA-2, which bindings write: with one bit of SHA-256's changed, it fails. */
import { describe, expect, it, vi } from 'vitest';
import { Failure } from '../src/claims/claim.ts';
import { constantsClaim } from '../src/rooms/sha2/constants-claim.ts';
import { SHA256, SHA512, type Size } from '../src/rooms/sha2/specification.ts';

vi.mock('../../lanewise/src/sha2/constants.ts', async (original) => {
  const constants = await original<typeof import('../../lanewise/src/sha2/constants.ts')>();
  return { ...constants, SHA256_CONSTANTS: constants.SHA256_CONSTANTS.replace(/2$/, '3') };
});

const prove = (family: string, size: Size): unknown => constantsClaim(family, family, size).prove();

describe('a binding that writes another constant', () => {
  it.each(['sha256', 'sha256lanes'])('%s', async (family) => {
    await expect(prove(family, SHA256)).rejects.toThrow(new Failure('byte 252 is 243 instead of 242'));
  });
});

it('a binding that writes those of the specification', async () => {
  await expect(prove('sha512', SHA512)).resolves.toBeUndefined();
});
