import { type FieldError, Problem } from '../../domain/problem.ts';
import { isCertainFailure } from '../../jobs/submit/certain-failures.ts';
import { applyPatches } from '../../wire/apply-patch.ts';
import { fieldErrors } from '../../wire/explain.ts';
import { fixPatch } from '../../wire/fix-patch.ts';
import { httpHint } from '../../wire/hint-text.ts';
import type { FollowedFixes } from '../results/tool-error.ts';
import type { Tool, ToolContext } from '../tool.ts';

/** How often fixes are followed. Each time is a dry run. */
const MAX_ROUNDS = 4;

/** No fix is followed any more after this time, because the caller waits: a dry run may run ffmpeg. */
const MAX_MS = 5000;

/** The longest arguments whose fixes are followed, in characters of JSON: planning long ones takes long each time. */
const MAX_LENGTH = 4000;

const MAX_AFTERWARDS = 4;

/**
 * Follows the fixes of the errors that the arguments of a tool have, and the fixes of those that come then, so that one answer says
 * all. It also shows where a fix leads astray. Undefined if nothing can be said.
 *
 * @param value The arguments as the tool reads them.
 */
export async function followFixes(
  tool: Tool,
  value: unknown,
  errors: readonly FieldError[],
  context: ToolContext,
): Promise<FollowedFixes | undefined> {
  if (tool.check === undefined || errors.length === 0 || JSON.stringify(value).length > MAX_LENGTH) return undefined;
  const afterwards: FieldError[] = [];
  const seen = new Set(errors.map(keyOf));
  let body = value;
  let current: readonly Finding[] = errors.map(asError);
  const startMs = performance.now();
  for (let round = 0; round <= MAX_ROUNDS && performance.now() - startMs < MAX_MS; round++) {
    const steps = current.map((one) => ({ one, patch: patchOf(body, one) }));
    if (steps.some(({ one, patch }) => one.isError && patch === undefined)) break;
    const patches = steps.flatMap(({ patch }) => (patch === undefined ? [] : [patch]));
    if (patches.length === 0) return { corrected: body as object, afterwards: afterwards.slice(0, MAX_AFTERWARDS) };
    body = applyPatches(body, patches);
    const found = await findingsOf(tool, body, context);
    if (found === undefined) break;
    const news = found.filter((one) => !seen.has(keyOf(one)));
    afterwards.push(...news);
    for (const one of news) seen.add(keyOf(one));
    // A warning that is told again is left: its fix has not helped.
    current = found.filter((one) => one.isError || news.includes(one));
  }
  return afterwards.length === 0 ? undefined : { afterwards: afterwards.slice(0, MAX_AFTERWARDS) };
}

const patchOf = (body: unknown, { fix, ...finding }: Finding): ReturnType<typeof fixPatch> =>
  fixPatch(body, { ...finding, ...(fix !== undefined && { fix: httpHint(fix) }) });

const keyOf = ({ field, code, message }: FieldError): string => JSON.stringify([field, code, message]);

interface Finding extends FieldError {
  readonly isError: boolean;
}

/** The errors of arguments, or the warnings about them. Undefined if they cannot be checked now. */
async function findingsOf(tool: Tool, value: unknown, context: ToolContext): Promise<readonly Finding[] | undefined> {
  const parsed = tool.input.safeParse(value);
  if (!parsed.success) return fieldErrors(tool.input, parsed.error.issues, value).map(asError);
  try {
    const checked = await tool.check?.(parsed.data, context);
    return checked === undefined
      ? undefined
      : checked.warnings.map((warning) => ({
          ...warning,
          field: warning.field ?? '',
          isError: isCertainFailure(warning),
        }));
  } catch (error) {
    return error instanceof Problem && error.errors.length > 0 ? error.errors.map(asError) : undefined;
  }
}

const asError = (error: FieldError): Finding => ({ ...error, isError: true });
