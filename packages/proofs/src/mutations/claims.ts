/** All claims about the behaviour of a kernel, those first that are likely to notice a change of one of its functions. */
import { checkClaims } from '../claims/checks.ts';
import type { Claim } from '../claims/claim.ts';
import { kernelClaims } from '../claims/index.ts';
import type { Kernel } from '../kernels.ts';
import { proofsOf } from '../rooms.ts';

export function claimsAbout(kernel: Kernel, name: string): Claim[] {
  // These claims compare the bytes with golden.json, or need no execution.
  const checks = new Set(checkClaims(kernel).map(({ claim }) => claim));
  const beginnings = proofsOf(kernel.family).mutations.about[name] ?? [];
  const rank = ({ claim }: Claim): number => {
    // Claims that try every length, or run a whole page, come last.
    if (/: every |: (?:en|de)crypt, a page /.test(claim)) return beginnings.length + 1;
    const found = beginnings.findIndex((beginning) => claim.startsWith(beginning));
    return found < 0 ? beginnings.length : found;
  };
  return (
    kernelClaims(kernel)
      // Known answers run on the engine itself, where a damaged kernel may run for ever; constants are those of a binding.
      .filter(({ claim }) => !checks.has(claim) && !/^(?:known answers|constants):/.test(claim))
      .sort((a, b) => rank(a) - rank(b))
  );
}
