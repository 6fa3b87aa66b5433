import { defined } from '@telecine/contract/domain/defined.ts';
import { fixText } from '@telecine/contract/domain/hint.ts';
import type { Warning } from '@telecine/contract/domain/plan.ts';
import { invalidRequest, Problem } from '@telecine/contract/domain/problem.ts';
import { valueAt } from '@telecine/contract/wire/json-pointer.ts';
import type { RECIPE_OPERATIONS } from '@telecine/contract/wire/operations/recipes.ts';
import type { BodyOf } from '@telecine/contract/wire/operations/types.ts';
import { warningViews } from '@telecine/contract/wire/warning.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { filesInFolder, withNearFiles } from '../../files/near-inputs.ts';
import { callerOf } from '../auth/authenticate.ts';
import type { HttpDeps } from '../deps.ts';
import { hangUpSignal } from '../server/hang-up.ts';
import type { CheckedRun } from './conversions.ts';

type Body = BodyOf<(typeof RECIPE_OPERATIONS)['dryRunRecipe']>;

/** Checks a recipe that is not stored, and plans the request in the body with it. */
export async function dryRunRecipe(
  { recipes, jobs, files }: Pick<HttpDeps, 'recipes' | 'jobs' | 'files'>,
  request: FastifyRequest<{ Body: Body; Params: { readonly name: string } }>,
  reply: FastifyReply,
): Promise<CheckedRun> {
  const caller = callerOf(request);
  const { params, body } = request;
  const { name } = params;
  const unstored = { name, ...body.recipe };
  const { preset = { name }, ...others } = body.request;
  const sent = { ...others, preset };
  await recipes.check(unstored).catch(inBody(body, 'recipe'));
  if (preset.name !== name) throw otherRecipe(preset.name, name);
  const run = await jobs
    .dryRun(caller, sent, hangUpSignal(reply), { unstored })
    .catch(async (error) => {
      throw await filesInFolder(error, sent, { caller, files });
    })
    .catch(inBody(body, 'request'));
  const warnings = await withNearFiles(run.warnings, sent, { caller, files });
  return { ...run, warnings: warningViews(warnings.map(placedIn(body, 'request')), body) };
}

/**
 * Returns a function that leads the field of an error or warning about `part` of the body into the whole body. A fix of a value with
 * references stays a text: a patch would replace the references.
 */
const placedIn =
  (body: Body, part: keyof Body) =>
  <T extends Pick<Warning, 'field' | 'fix'>>(one: T): T => {
    if (one.field === undefined || one.field === '/name') return one;
    const field = one.field.startsWith('/recipe/') ? one.field : `/${part}${one.field}`;
    const text = JSON.stringify(valueAt(body, field))?.includes('{{') ? fixText(one.fix) : undefined;
    return { ...one, field, ...(text !== undefined && { fix: text }) };
  };

/** Returns a function that throws a problem about `part` of the body as one about the whole body. */
const inBody =
  (body: Body, part: keyof Body) =>
  (error: unknown): never => {
    if (!(error instanceof Problem) || error.errors.length === 0) throw error;
    const { code, message, retryAfterSeconds } = error;
    const errors = error.errors.map(placedIn(body, part));
    throw new Problem(code, message, { errors, cause: error, ...defined({ retryAfterSeconds }) });
  };

const otherRecipe = (sent: string, name: string): Problem =>
  invalidRequest([
    {
      field: '/request/preset/name',
      code: 'OTHER_RECIPE',
      message: `"preset" names the recipe ${JSON.stringify(sent)}, and the path names "${name}".`,
    },
  ]);
