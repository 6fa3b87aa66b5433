import { allows } from '../../domain/client.ts';
import { sendPictures } from '../../domain/each-file.ts';
import { type Edits, sendMember, withMore } from '../../domain/edit.ts';
import { type FieldError, Problem } from '../../domain/problem.ts';
import { isMembers } from '../../domain/structured-values.ts';
import { PICTURES } from '../../domain/wildcard.ts';
import { expandEach } from '../../files/expand-each.ts';
import type { ToolContext } from '../tool.ts';

/** The most files that a fix sends as inputs. */
const MAX_FILES = 50;

/**
 * Replaces the error about an output without `{name}`, if the request has `each` and makes one film of all files: by `join`, or by a recipe
 * that reads several. The fix sends these files as inputs. Returns any other error as it is.
 */
export async function withFilmOfEach(error: unknown, args: unknown, context: ToolContext): Promise<unknown> {
  if (!(error instanceof Problem) || !isMembers(args)) return error;
  const { each, input, inputs, join, preset } = args;
  const same = error.errors.find(({ code, field }) => code === 'NO_PLACEHOLDER' && field === '/output');
  if (same === undefined || typeof each !== 'string' || input !== undefined || inputs !== undefined) return error;
  const name = isMembers(preset) && typeof preset['name'] === 'string' ? preset['name'] : undefined;
  const reads = join === undefined ? await filesOf(name, context) : 'several';
  if (reads === undefined) return error;
  const film: FieldError = {
    field: '/each',
    code: 'MISPLACED',
    message: `"each" makes a job for each file, and ${join === undefined ? `the recipe "${name}"` : '"join"'} one film of all.`,
    fix:
      reads === 'several'
        ? sendFiles(await matching(each, context))
        : sendSequence(each, await matching(each, context), args['parameters']),
  };
  const errors = error.errors.map((one) => (one === same ? film : one));
  return new Problem(error.code, error.message, { errors, cause: error });
}

/** Whether a recipe reads several files, or one sequence of pictures. undefined for others. */
async function filesOf(
  name: string | undefined,
  { deps, call }: ToolContext,
): Promise<'several' | 'sequence' | undefined> {
  // An unknown name has an error of its own.
  const recipe = name === undefined ? undefined : await deps.recipes.get(call.caller, name).catch(() => undefined);
  if (recipe?.inputs.some(({ many }) => many === true)) return 'several';
  return recipe?.inputs.length === 1 && recipe.inputs[0]?.parameters?.['framerate'] !== undefined
    ? 'sequence'
    : undefined;
}

/** The files that a pattern matches. Empty if they are too many, or if the caller may not know them. */
async function matching(each: string, { deps: { files }, call, signal }: ToolContext): Promise<readonly string[]> {
  const { caller } = call;
  if (!allows(caller, 'files:read')) return [];
  // The files are a help: a fault must not fail the reply that they are for.
  const found = await expandEach([{ each, request: { output: '{name}' } }], { files, caller, signal }).catch(() => []);
  return found.length > MAX_FILES ? [] : found.flatMap(({ file }) => file ?? []);
}

const sendFiles = (files: readonly string[]): Edits | string =>
  files.length > 1
    ? withMore(sendMember('inputs', files), { do: 'remove', name: 'each' })
    : 'Send the files in "inputs", in the order in which they play, and leave "each" out.';

function sendSequence(each: string, files: readonly string[], sent: unknown): Edits | string {
  const [first = ''] = files;
  const end = PICTURES.exec(first)?.[0];
  const ofFolder = end === undefined ? undefined : `${first.slice(0, first.lastIndexOf('/') + 1)}*${end}`;
  const pattern = PICTURES.test(each) ? each : ofFolder;
  return pattern !== undefined && files.every((one) => one.endsWith(end ?? ''))
    ? sendPictures(pattern, isMembers(sent) ? sent : {})
    : 'Send the pictures as "input", such as "photos/*.jpg" with "pattern_type": "glob" in "parameters", and leave "each" out.';
}
