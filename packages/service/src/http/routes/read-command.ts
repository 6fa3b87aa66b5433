import type { ConversionRequest } from '@telecine/contract/domain/conversion.ts';
import { type FieldError, MAX_FIELD_ERRORS, Problem } from '@telecine/contract/domain/problem.ts';
import { allErrors } from '@telecine/contract/wire/all-errors.ts';
import { conversionBody } from '@telecine/contract/wire/conversion.ts';
import { fieldErrors } from '@telecine/contract/wire/explain.ts';
import type { Declared } from '@telecine/contract/wire/operations/operations.ts';
import { fieldView } from '@telecine/contract/wire/problem-view.ts';
import { placeOf, readCommand } from '@telecine/ffmpeg/command/read-command.ts';
import { callerOf } from '../auth/authenticate.ts';
import type { HttpDeps } from '../deps.ts';
import { hangUpSignal } from '../server/hang-up.ts';
import { type CheckedRun, fileNames } from './conversions.ts';
import type { Handlers } from './handler.ts';

export const commandHandlers = ({ jobs, files }: HttpDeps): Handlers<Pick<Declared, 'readCommand'>> => ({
  readCommand: async (request, reply) => {
    const caller = callerOf(request);
    const read = readCommand(request.body.command);
    const plan = (body: ConversionRequest) =>
      fileNames(body, { caller, files }).checked(jobs.dryRun(caller, body, hangUpSignal(reply)));
    const checked = read.request && (await check(read.request, plan));
    const errors = [
      ...read.errors.map(({ place, ...error }) => ({ ...fieldView(error, undefined), ...(place && { place }) })),
      ...(checked?.errors ?? []).map((error) => {
        const place = placeOf(read, error.field);
        return { ...fieldView(error, read.request), ...(place && { place }) };
      }),
    ];
    return {
      ...(checked?.request && { request: checked.request }),
      leftOut: read.leftOut,
      errors: errors.slice(0, MAX_FIELD_ERRORS),
      warnings: checked?.warnings ?? [],
    };
  },
});

interface Checked {
  /** Absent if its schema rejects it. */
  readonly request?: ConversionRequest;
  readonly errors: readonly FieldError[];
  readonly warnings: CheckedRun['warnings'];
}

/** What the schema of requests and a dry run find in a request. */
async function check(
  sent: ConversionRequest,
  plan: (body: ConversionRequest) => Promise<CheckedRun>,
): Promise<Checked> {
  const parsed = conversionBody.safeParse(sent);
  if (!parsed.success) {
    const found = fieldErrors(conversionBody, parsed.error.issues, sent);
    return { errors: await allErrors(conversionBody, sent, found, plan), warnings: [] };
  }
  try {
    return { request: sent, errors: [], warnings: (await plan(parsed.data)).warnings };
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'INVALID_REQUEST') throw error;
    return { request: sent, errors: error.errors, warnings: [] };
  }
}
