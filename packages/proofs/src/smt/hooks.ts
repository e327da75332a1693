// node --import hooks.ts …: claims and executors get terms that are recorded. Files of terms/ and of this folder get the others.
import { registerHooks } from 'node:module';

const TERMS = new URL('../terms/', import.meta.url).href;
const HERE = new URL('./', import.meta.url).href;
const RECORDED = new URL('./recording.ts', import.meta.url).href;
/** It makes terms by the rules of other files: as an S-box, not as a rule. */
const CUTS = `${TERMS}cuts.ts`;

registerHooks({
  resolve(specifier, context, next) {
    const resolved = next(specifier, context);
    const { parentURL = '' } = context;
    const inside = (parentURL.startsWith(TERMS) && parentURL !== CUTS) || parentURL.startsWith(HERE);
    const isTerms = resolved.url === `${TERMS}term.ts` || resolved.url === `${TERMS}node.ts`;
    const isOfCuts = parentURL === CUTS && resolved.url.startsWith(TERMS);
    return !inside && (isTerms || isOfCuts) ? { ...resolved, url: RECORDED } : resolved;
  },
});
