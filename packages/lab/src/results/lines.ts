/** The lines of a run's file, checked before they are assembled: anybody can have written them. */
import * as v from 'valibot';
import { count, engine, header, message, missing, name, number, ResultError, time, type Data } from './schema.ts';

/** In this order: the run, its engines, then sessions, which count from 0, with their messages, interleaved in any way; the end. */
const line = v.variant('line', [
  v.object({ line: v.literal('run'), run: header }),
  v.object({ line: v.literal('engine'), engine }),
  v.object({ line: v.literal('missing'), engine: missing }),
  v.object({ line: v.literal('session'), session: count, engine: name, seed: count, startedAt: time }),
  v.object({ line: v.literal('message'), session: count, message }),
  v.object({ line: v.literal('end'), endedAt: time, loadAfter: v.optional(number) }),
]);
export type Line = Data<v.InferOutput<typeof line>>;

/** Throws a ResultError if the text isn't a line of a run. */
export function lineOf(json: string): Line {
  let data: unknown;
  try {
    data = JSON.parse(json);
  } catch (error) {
    throw new ResultError('it is not a line of a run', { cause: error });
  }
  const { success, output, issues } = v.safeParse(line, data, { abortEarly: true });
  if (success) return output;
  const [issue] = issues;
  throw new ResultError(
    `it is not a line of a run (${v.getDotPath(issue) ?? 'its top'}: ${issue.message.split('\n')[0]})`,
  );
}
