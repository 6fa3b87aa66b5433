import { allows } from '../../domain/client.ts';
import type { Hint } from '../../domain/hint.ts';
import type { Job } from '../../domain/job.ts';
import type { Warning } from '../../domain/plan.ts';
import { Problem } from '../../domain/problem.ts';
import type { ToolContext } from '../tool.ts';

type Context = Pick<ToolContext, 'deps' | 'call'>;

const CODE = 'INPUT_NOT_FOUND';

/** The inputs of a request, by the JSON Pointers of errors about them. */
export function inputsByField(request: {
  readonly input?: string | undefined;
  readonly inputs?: readonly (string | { readonly input: string })[] | undefined;
}): ReadonlyMap<string, string> {
  const fields = new Map<string, string>();
  if (request.input !== undefined) fields.set('/input', request.input);
  for (const [i, one] of (request.inputs ?? []).entries())
    if (typeof one === 'string') fields.set(`/inputs/${i}`, one);
    else fields.set(`/inputs/${i}/input`, one.input);
  return fields;
}

/** Adds the names of near files to the fixes of warnings about missing inputs. */
export const withNearFiles = (
  warnings: readonly Warning[],
  inputs: ReadonlyMap<string, string>,
  context: Context,
): Promise<readonly Warning[]> =>
  Promise.all(
    warnings.map(async (one) => {
      const path = one.code === CODE ? inputs.get(one.field ?? '') : undefined;
      const names = path === undefined ? '' : await namesNear(one.fix, path, context);
      return names === '' ? one : { ...one, fix: `${one.fix ?? ''}${names}` };
    }),
  );

/** Adds the names of near files to the fix of a job that failed for want of an input. */
export async function filesNearJob(job: Job, context: Context): Promise<Job> {
  const { error } = job;
  if (error?.code !== CODE) return job;
  const missing = [...inputsByField(job.request).values()].find((path) => error.message.includes(`"${path}"`));
  if (missing === undefined) return job;
  const names = await namesNear(error.fix, missing, context);
  return names === '' ? job : { ...job, error: { ...error, fix: withNames(error.fix, names) } };
}

/** Adds near files to the problem of a probe whose input is missing. Returns any other error as it is. */
export async function filesNearProbe(error: unknown, path: string, context: Context): Promise<unknown> {
  if (!(error instanceof Problem) || error.code !== CODE) return error;
  const [first] = error.errors;
  const names = first === undefined ? '' : await namesNear(first.fix, path, context);
  if (first === undefined || names === '') return error;
  return new Problem(error.code, error.message, {
    errors: [{ ...first, fix: withNames(first.fix, names) }],
    cause: error,
  });
}

const withNames = (fix: Hint = '', names: string): Hint => (typeof fix === 'string' ? fix + names : [...fix, names]);

/** A sentence with near files, or '' if there are none, the caller may not list files, or the fix names the file itself. */
async function namesNear(fix: Hint | undefined, path: string, { deps, call }: Context): Promise<string> {
  if ((typeof fix === 'string' && fix.startsWith('Send "')) || !allows(call.caller, 'files:read')) return '';
  const near = await deps.files.near(call.caller, path);
  return near.length === 0 ? '' : ` Files there: ${near.map((one) => JSON.stringify(one)).join(', ')}.`;
}
