import { hasChoice, hasEdits, valueSentBy } from '@telecine/contract/domain/edit.ts';
import type { Hint } from '@telecine/contract/domain/hint.ts';
import { lastPart } from '@telecine/contract/domain/media-path.ts';
import { type FieldError, Problem } from '@telecine/contract/domain/problem.ts';
import { stringOf } from '@telecine/contract/domain/structured-values.ts';
import { applyPatches } from '@telecine/contract/wire/apply-patch.ts';
import { fieldErrors } from '@telecine/contract/wire/explain.ts';
import { fixPatch } from '@telecine/contract/wire/fix-patch.ts';
import { valueAt } from '@telecine/contract/wire/json-pointer.ts';
import type { PatchOperation } from '@telecine/contract/wire/problem.ts';
import { isCertainFailure } from '../jobs/submit/dry-run.ts';
import { coerceForTool } from './coerce-arguments.ts';
import type { FollowedFixes } from './results/tool-error.ts';
import type { Tool, ToolContext } from './tool.ts';

/** The maximum number of rounds. A round applies fixes, and then checks the corrected arguments as a dry run. */
const MAX_ROUNDS = 4;

/**
 * The time limit for rounds that probe files and try commands, in ms. After it, rounds only plan the request, for as
 * long again.
 */
const MAX_MS = 5000;

/** Arguments with more characters of JSON are not corrected: each round plans all of them. */
const MAX_LENGTH = 4000;

const MAX_AFTERWARDS = 4;

/**
 * Codes of warnings whose fixes are applied, because nobody wants the value as it is. With other codes, the value may
 * be intended, so the fix is only shown.
 */
const NEVER_MEANT: ReadonlySet<string> = new Set([
  'LOW_BIT_RATE',
  'ODD_SIZE',
  // If the recipe argument is optional, the fix of this warning has a choice and is not applied.
  'OVERRIDES_RECIPE',
]);

/** The names of the members that a fix sends. Empty if the fix is a text or has a choice. */
const namesSentBy = (fix: Hint | undefined): readonly (string | undefined)[] =>
  hasEdits(fix) && !hasChoice(fix) ? fix.edits.map((edit) => (edit.do === 'send' ? edit.name : undefined)) : [];

/** Whether the fix of a warning sends all inputs again: in the right order, or instead of a wildcard. */
const isOfInputs = ({ code, fix }: FieldError): boolean =>
  /^(?:NO_EFFECT|INPUT_NOT_FOUND)$/.test(code) && /^inputs(?:,join)?$/.test(namesSentBy(fix).join());

/**
 * Whether the fix of a warning replaces a missing input by the only file with the same name. This is certain only if
 * the input had no folder, or a path of another machine. An input with a path in the media root may still be uploaded.
 */
const isOfFolder = (body: unknown, { code, field, fix }: FieldError): boolean =>
  code === 'INPUT_NOT_FOUND' &&
  typeof valueSentBy(fix) === 'string' &&
  /^(?:[/~\\]|[a-z]:)|^[^/\\]+$/i.test(stringOf(valueAt(body, field))) &&
  lastPart(stringOf(valueSentBy(fix))) === lastPart(stringOf(valueAt(body, field)));

/** Whether a warning says that an ffmpeg option has no effect, or hides the effect of another option. */
const isWithoutEffect = ({ code, field }: Finding): boolean => code === 'NO_EFFECT' && field.includes('/parameters/');

/** The members of a tool with which its arguments are checked. */
type CheckedTool = Pick<Tool, 'name' | 'input' | 'check' | 'prepare'>;

/**
 * Applies the fixes of the errors in the arguments of a tool, and then of the errors that appear after that, so that
 * one answer contains all of them. Counts as a submission. undefined: there is nothing to report.
 *
 * @param value The arguments after the tool has read them.
 */
export async function followFixes(
  tool: CheckedTool,
  value: unknown,
  errors: readonly FieldError[],
  context: ToolContext,
): Promise<FollowedFixes | undefined> {
  // A tool without `check` finds some errors only in `run`, so that corrected arguments could not be checked.
  const isChecked = tool.check !== undefined || !tool.input.safeParse(value).success;
  if (!isChecked || errors.length === 0 || JSON.stringify(value).length > MAX_LENGTH) return undefined;
  if (tool.check !== undefined) await context.call.countSubmission();
  const deadline = AbortSignal.timeout(MAX_MS);
  const within = (limit: AbortSignal): ToolContext => ({
    ...context,
    signal: AbortSignal.any([context.signal, limit]),
  });
  const [limited, planning] = [within(deadline), within(AbortSignal.timeout(2 * MAX_MS))];
  const afterwards: FieldError[] = [];
  const seen = new Set(errors.map(keyOf));
  const changed = new Set<string>();
  let body = value;
  let current: readonly Finding[] = errors.map(asError);
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const patches = current.map((one) => patchOf(body, one));
    for (const patch of patches) for (const { path } of patch ?? []) changed.add(path);
    if (patches.every((patch) => patch === undefined)) break;
    const open = current.filter((_one, at) => patches[at] === undefined);
    // Apply the deepest patches first. A patch of a whole object would otherwise delete a member that another patch
    // moves out of it.
    body = applyPatches(
      body,
      patches.flatMap((patch) => (patch === undefined ? [] : [patch])).toSorted((a, b) => depthOf(b) - depthOf(a)),
    );
    // Some errors have no patch. If their fields no longer exist, another patch may have fixed their cause. Only then
    // is another round useful.
    if (open.some(({ field }) => (field === '' ? round === 0 : valueAt(body, field) === undefined))) break;
    const found =
      (deadline.aborted ? undefined : await findingsOf(tool, body, limited)) ??
      (await findingsOf(tool, body, planning, { onlyPlans: true }));
    if (found === undefined) break;
    const news = found.filter((one) => !seen.has(keyOf(one)));
    for (const one of news) seen.add(keyOf(one));
    // An applied fix can cause EMPTY_STREAM (a stream that is black up to its end). Follow the fix of that warning too.
    const isOfFix = ({ code, field }: Finding): boolean => code === 'EMPTY_STREAM' && changed.has(field);
    const isFollowed = (one: Finding): boolean =>
      (NEVER_MEANT.has(one.code) || isOfFix(one) || isOfInputs(one) || isOfFolder(body, one) || isWithoutEffect(one)) &&
      patchOf(body, one) !== undefined;
    current = found.filter((one) => one.isError || (news.includes(one) && isFollowed(one)));
    afterwards.push(...news.filter((one) => one.isError || current.includes(one)));
    if (current.length > 0) continue;
    return {
      corrected: coerceForTool(tool, body) as object,
      afterwards: afterwards.slice(0, MAX_AFTERWARDS),
      warnings: found.filter((one) => !one.isError).slice(0, MAX_AFTERWARDS),
    };
  }
  return afterwards.length === 0 ? undefined : { afterwards: afterwards.slice(0, MAX_AFTERWARDS), warnings: [] };
}

/**
 * Returns the patch of a fix. undefined: the fix has a choice, or it could overwrite a file that the request does not
 * name.
 */
function patchOf(body: unknown, { fix, ...finding }: Finding): ReturnType<typeof fixPatch> {
  // An error without a field comes from a trial of the command. Its fix sends ffmpeg options or another output.
  const ofRun = namesSentBy(fix).includes('output') ? '/output' : '/parameters/';
  const field = finding.field === '' ? ofRun : finding.field;
  const isOutput = /^\/outputs?(?:\/|$)/.test(field) && !field.includes('/parameters/');
  if (isOutput && /"y":/.test(JSON.stringify(body))) return undefined;
  return fixPatch(body, { ...finding, field, fix });
}

/** Returns how deep the first member is that a patch changes. A top-level member has depth 2. */
const depthOf = ([first]: readonly PatchOperation[]): number => first?.path.split('/').length ?? 0;

const keyOf = ({ field, code, message }: FieldError): string => JSON.stringify([field, code, message]);

interface Finding extends FieldError {
  readonly isError: boolean;
}

/**
 * Returns the errors in arguments or, if there are none, the warnings about them. undefined: they cannot be checked
 * now.
 */
async function findingsOf(
  tool: CheckedTool,
  sent: unknown,
  context: ToolContext,
  options?: { readonly onlyPlans: boolean },
): Promise<readonly Finding[] | undefined> {
  const value = coerceForTool(tool, sent);
  const parsed = tool.input.safeParse(value);
  if (!parsed.success) return fieldErrors(tool.input, parsed.error.issues, value).map(asError);
  if (tool.check === undefined) return [];
  try {
    const checked = await tool.check(parsed.data, context, options);
    return checked === undefined
      ? undefined
      : checked.warnings.map((warning) => ({
          ...warning,
          field: warning.field ?? '',
          isError: isCertainFailure(warning),
        }));
  } catch (error) {
    if (context.signal.aborted) return undefined;
    if (!(error instanceof Problem)) throw error;
    return error.errors.length > 0 ? error.errors.map(asError) : undefined;
  }
}

const asError = (error: FieldError): Finding => ({ ...error, isError: true });
