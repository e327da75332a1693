/** The lines of a run's file, checked before they are assembled: anybody can have written them. */
import * as v from 'valibot';
import type { Line } from './assemble.ts';
import { case_, contest, count, engine, header, missing, name, number, ResultError, text, time } from './schema.ts';

const numbers = v.array(number);

/** Those whose parts are looked up or computed with; parts of the others are copied, and the schema of the result checks them. */
const message = v.variant('type', [
  v.looseObject({ type: v.literal('contest-start'), contest, cases: v.array(case_) }),
  v.looseObject({
    type: v.literal('samples'),
    contest: text,
    nanoseconds: v.record(text, numbers),
    batches: v.record(text, number),
    cycle: numbers,
    milliseconds: number,
    probe: v.optional(v.object({ passes: count, cycle: number, nanoseconds: v.record(text, numbers) })),
  }),
  v.looseObject({ type: v.picklist(['hello', 'canary', 'fault', 'unavailable', 'progress', 'error', 'done']) }),
]);

const line = v.variant('line', [
  v.object({ line: v.literal('run'), run: header }),
  v.object({ line: v.literal('engine'), engine }),
  v.object({ line: v.literal('missing'), engine: missing }),
  v.object({ line: v.literal('session'), session: count, engine: name, seed: count, startedAt: time }),
  v.object({ line: v.literal('message'), session: count, message }),
  v.object({ line: v.literal('end'), endedAt: time, loadAfter: v.optional(number) }),
]);

/** Throws a ResultError if the text isn't a line of a run. */
export function lineOf(json: string): Line {
  let data: unknown;
  try {
    data = JSON.parse(json);
  } catch (error) {
    throw new ResultError('it is not a line of a run', { cause: error });
  }
  const { success, output, issues } = v.safeParse(line, data, { abortEarly: true });
  if (success) return output as Line;
  const [issue] = issues;
  throw new ResultError(
    `it is not a line of a run (${v.getDotPath(issue) ?? 'its top'}: ${issue.message.split('\n')[0]})`,
  );
}
