// A library whose kernels are wrong (wrong-chacha.ts): claims about wiping are about wiping all the same.
import { expect, it, vi } from 'vitest';
import { knownAnswerOfText } from '../src/claims/known-answers.ts';
import { wipingClaims, wipingTextClaims } from '../src/claims/wiping.ts';
import { textOf } from '../src/javascript/texts.ts';
import { kernelOf } from '../src/kernels.ts';
import { failureOf } from './wrong-chacha.ts';

vi.mock('../../lanewise/src/chacha/module.ts', async (original) => {
  const { withWrongChacha } = await import('./wrong-chacha.ts');
  return withWrongChacha(await original<typeof import('../../lanewise/src/chacha/module.ts')>());
});
vi.mock('../../lanewise/src/engine/bytes.ts', async (original) => {
  const { withWrongTexts } = await import('./wrong-chacha.ts');
  return withWrongTexts(await original<typeof import('../../lanewise/src/engine/bytes.ts')>());
});
vi.mock('../src/published.ts', async () => (await import('./wrong-chacha.ts')).asMade);

it.each(wipingClaims(kernelOf('chacha long relaxed')))('$kernel leaves no secrets: $claim', async (claim) => {
  expect(await failureOf(claim)).toBeUndefined();
});

it('a text that is wrong gives another answer, and leaves no secrets', async () => {
  const shipped = textOf('chacha');
  const text = { ...shipped, text: shipped.text.replace('return verify(2832);', 'return 0 & verify(2832);') };
  expect(text.text).not.toBe(shipped.text);
  expect(await failureOf(knownAnswerOfText(text))).toBe('chacha long: another answer');
  const [decryption] = wipingTextClaims(text).filter(({ claim }) => claim.includes('AEAD, decryption'));
  expect(await failureOf(decryption)).toBeUndefined();
});
