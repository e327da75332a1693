// node --import hooks.ts …: the claims about Poly1305 give their last steps to this folder instead of z3, and in modules these are
// made of instructions as they were executed, without a rule of terms/.
import { registerHooks } from 'node:module';

const at = (path: string): string => new URL(path, import.meta.url).href;
const HERE = at('./');
const REDUCTION = at('../rooms/poly1305/reduction.ts');
const BITS64 = at('../execute/bits64.ts');
const MACHINE = at('../execute/machine.ts');

registerHooks({
  resolve(specifier, context, next) {
    const resolved = next(specifier, context);
    const { parentURL = '' } = context;
    if (parentURL.startsWith(HERE)) return resolved;
    if (resolved.url === REDUCTION) return { ...resolved, url: at('./recording.ts') };
    if (resolved.url === BITS64)
      return { ...resolved, url: at(parentURL === MACHINE ? './machine-bits64.ts' : './bits64.ts') };
    return resolved;
  },
});
