import { hasChoice, hasEdits, valueSentBy } from '@telecine/contract/domain/edit.ts';
import type { Hint } from '@telecine/contract/domain/hint.ts';
import { lastPart } from '@telecine/contract/domain/media-path.ts';
import { type FieldError, Problem } from '@telecine/contract/domain/problem.ts';
import { applyPatches } from '@telecine/contract/wire/apply-patch.ts';
import { fieldErrors } from '@telecine/contract/wire/explain.ts';
import { fixPatch } from '@telecine/contract/wire/fix-patch.ts';
import { valueAt } from '@telecine/contract/wire/json-pointer.ts';
import type { PatchOperation } from '@telecine/contract/wire/problem.ts';
import { isCertainFailure } from '../jobs/submit/dry-run.ts';
import { coerceForTool } from './coerce-arguments.ts';
import type { FollowedFixes } from './results/tool-error.ts';
import type { Tool, ToolContext } from './tool.ts';

/** The most rounds of fixes. Each round is a dry run. */
const MAX_ROUNDS = 4;

/** The most time for rounds that probe files and try commands. Later rounds only plan, and have the same time. */
const MAX_MS = 5000;

/** The longest arguments, in characters of JSON: each round plans them. */
const MAX_LENGTH = 4000;

const MAX_AFTERWARDS = 4;

/** Codes of warnings about values that nobody wants. Other values may be intended, so the fixes of their warnings are only shown. */
const NEVER_MEANT: ReadonlySet<string> = new Set([
  'LOW_BIT_RATE',
  'ODD_SIZE',
  // Only the fix about a required argument leaves no choice.
  'OVERRIDES_RECIPE',
]);

/** The names of the members that a fix sends. Empty for a fix that leaves a choice and for a text. */
const namesSentBy = (fix: Hint | undefined): readonly (string | undefined)[] =>
  hasEdits(fix) && !hasChoice(fix) ? fix.edits.map((edit) => (edit.do === 'send' ? edit.name : undefined)) : [];

/** Whether the fix of a warning sends all inputs: in the right order, or instead of a wildcard. */
const isOfInputs = ({ code, fix }: FieldError): boolean =>
  /^(?:NO_EFFECT|INPUT_NOT_FOUND)$/.test(code) && /^inputs(?:,join)?$/.test(namesSentBy(fix).join());

/**
 * Whether the fix of a warning sends the one file with the sent name, which had no folder or a path of another machine. A file with a
 * path in the media root may still arrive.
 */
const isOfFolder = (body: unknown, { code, field, fix }: FieldError): boolean =>
  code === 'INPUT_NOT_FOUND' &&
  typeof valueSentBy(fix) === 'string' &&
  /^(?:[/~\\]|[a-z]:)|^[^/\\]+$/i.test(String(valueAt(body, field))) &&
  lastPart(String(valueSentBy(fix))) === lastPart(String(valueAt(body, field)));

/** Whether an option has no effect, or takes the effect of another one. */
const isWithoutEffect = ({ code, field }: Finding): boolean => code === 'NO_EFFECT' && field.includes('/parameters/');

/** The parts of a tool that check its arguments. */
type CheckedTool = Pick<Tool, 'name' | 'input' | 'check' | 'prepare'>;

/**
 * Applies the fixes of the errors in the arguments of a tool, then the fixes of the errors that follow, so that one answer has all of
 * them. Counts as a submission. undefined if there is nothing to say.
 *
 * @param value The arguments as the tool reads them.
 */
export async function followFixes(
  tool: CheckedTool,
  value: unknown,
  errors: readonly FieldError[],
  context: ToolContext,
): Promise<FollowedFixes | undefined> {
  // Without `check`, an error that `run` found cannot be checked again.
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
    // A patch of a whole object would drop a member that another patch moves out of it, so the deepest patches come first.
    body = applyPatches(
      body,
      patches.flatMap((patch) => (patch === undefined ? [] : [patch])).toSorted((a, b) => depthOf(b) - depthOf(a)),
    );
    // Other fixes may remove the cause of an error without a patch, but they must not remove its field.
    if (open.some(({ field }) => (field === '' ? round === 0 : valueAt(body, field) === undefined))) break;
    const found =
      (deadline.aborted ? undefined : await findingsOf(tool, body, limited)) ??
      (await findingsOf(tool, body, planning, { onlyPlans: true }));
    if (found === undefined) break;
    const news = found.filter((one) => !seen.has(keyOf(one)));
    for (const one of news) seen.add(keyOf(one));
    // A stream that is black to the end because of a fix.
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

/** The patch of a fix. undefined if it leaves a choice, or if it may overwrite a file that the request does not name. */
function patchOf(body: unknown, { fix, ...finding }: Finding): ReturnType<typeof fixPatch> {
  // An error without a field comes from a trial run. Its fix sends options or another output.
  const ofRun = namesSentBy(fix).includes('output') ? '/output' : '/parameters/';
  const field = finding.field === '' ? ofRun : finding.field;
  const isOutput = /^\/outputs?(?:\/|$)/.test(field) && !field.includes('/parameters/');
  if (isOutput && /"y":/.test(JSON.stringify(body))) return undefined;
  return fixPatch(body, { ...finding, field, fix });
}

/** The depth of the first member that a patch changes. */
const depthOf = ([first]: readonly PatchOperation[]): number => first?.path.split('/').length ?? 0;

const keyOf = ({ field, code, message }: FieldError): string => JSON.stringify([field, code, message]);

interface Finding extends FieldError {
  readonly isError: boolean;
}

/** The errors of arguments, or the warnings about them. undefined if they cannot be checked now. */
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
