import { Failure } from '../claims/claim.ts';

/** Thrown for code of a module or of a text that the other one can't have. */
export class Untranslatable extends Failure {
  constructor(what: string, at: number) {
    super(`${what} at ${at} has no place in steps`);
  }
}
