import { hasChoice, hasEdits, valueSentBy } from '../domain/edit.ts';
import type { Hint } from '../domain/hint.ts';
import { lastPart } from '../domain/media-path.ts';
import { type FieldError, Problem } from '../domain/problem.ts';
import { isCertainFailure } from '../jobs/submit/dry-run.ts';
import { applyPatches } from '../wire/apply-patch.ts';
import { fieldErrors } from '../wire/explain.ts';
import { fixPatch } from '../wire/fix-patch.ts';
import { valueAt } from '../wire/json-pointer.ts';
import type { PatchOperation } from '../wire/problem.ts';
import { asMeant } from './meant-arguments.ts';
import type { FollowedFixes } from './results/tool-error.ts';
import type { Tool, ToolContext } from './tool.ts';

/** How often fixes are followed. Each time is a dry run. */
const MAX_ROUNDS = 4;

/** How long files are probed and commands tried for it. Later rounds only plan, and have as long. */
const MAX_MS = 5000;

/** The longest arguments whose fixes are followed, in characters of JSON: planning long ones takes long each time. */
const MAX_LENGTH = 4000;

const MAX_AFTERWARDS = 4;

/** Codes of warnings about values that nobody means. Others may be about what the caller wants, so their fixes are only told. */
const NEVER_MEANT: ReadonlySet<string> = new Set([
  'LOW_BIT_RATE',
  'ODD_SIZE',
  // Only the fix about a required argument can be followed: that of the others leaves a choice.
  'OVERRIDES_RECIPE',
]);

/** The names of the members that a fix sends. Empty if it leaves a choice, or is a text. */
const namesSentBy = (fix: Hint | undefined): readonly (string | undefined)[] =>
  hasEdits(fix) && !hasChoice(fix) ? fix.edits.map((edit) => (edit.do === 'send' ? edit.name : undefined)) : [];

/** Whether the fix of a warning sends all inputs: in the right order, or the files of a wildcard. */
const isOfInputs = ({ code, fix }: FieldError): boolean =>
  /^(?:NO_EFFECT|INPUT_NOT_FOUND)$/.test(code) && /^inputs(?:,join)?$/.test(namesSentBy(fix).join());

/**
 * Whether the fix of a warning sends the one file of the name that was sent without its folder, or by a path of another machine. A path
 * with a folder may be that of a file which is on its way.
 */
const isOfFolder = (body: unknown, { code, field, fix }: FieldError): boolean =>
  code === 'INPUT_NOT_FOUND' &&
  typeof valueSentBy(fix) === 'string' &&
  /^(?:[/~\\]|[a-z]:)|^[^/\\]+$/i.test(String(valueAt(body, field))) &&
  lastPart(String(valueSentBy(fix))) === lastPart(String(valueAt(body, field)));

/** Whether an option does nothing, or keeps another from doing what it says. */
const isWithoutEffect = ({ code, field }: Finding): boolean => code === 'NO_EFFECT' && field.includes('/parameters/');

/** The parts of a tool that check its arguments. */
type CheckedTool = Pick<Tool, 'name' | 'input' | 'check' | 'prepare'>;

/**
 * Follows the fixes of the errors that the arguments of a tool have, and the fixes of those that come then, so that one answer says
 * all. It also shows where a fix leads astray. Counts as a submission. Undefined if nothing can be said.
 *
 * @param value The arguments as the tool reads them.
 */
export async function followFixes(
  tool: CheckedTool,
  value: unknown,
  errors: readonly FieldError[],
  context: ToolContext,
): Promise<FollowedFixes | undefined> {
  // What only a run of the tool finds cannot be checked again.
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
    // A patch of a whole object would drop what another one moves out of it: the other is told again after the first.
    body = applyPatches(
      body,
      patches.flatMap((patch) => (patch === undefined ? [] : [patch])).toSorted((a, b) => depthOf(b) - depthOf(a)),
    );
    // The other fixes may remove the cause of an error that has no patch, but not what it is about.
    if (open.some(({ field }) => (field === '' ? round === 0 : valueAt(body, field) === undefined))) break;
    const found =
      (deadline.aborted ? undefined : await findingsOf(tool, body, limited)) ??
      (await findingsOf(tool, body, planning, { onlyPlans: true }));
    if (found === undefined) break;
    const news = found.filter((one) => !seen.has(keyOf(one)));
    for (const one of news) seen.add(keyOf(one));
    // A picture that is black to the end, by what a fix has written.
    const isOfFix = ({ code, field }: Finding): boolean => code === 'EMPTY_STREAM' && changed.has(field);
    const isFollowed = (one: Finding): boolean =>
      (NEVER_MEANT.has(one.code) || isOfFix(one) || isOfInputs(one) || isOfFolder(body, one) || isWithoutEffect(one)) &&
      patchOf(body, one) !== undefined;
    current = found.filter((one) => one.isError || (news.includes(one) && isFollowed(one)));
    afterwards.push(...news.filter((one) => one.isError || current.includes(one)));
    if (current.length > 0) continue;
    return {
      corrected: asMeant(tool, body) as object,
      afterwards: afterwards.slice(0, MAX_AFTERWARDS),
      warnings: found.filter((one) => !one.isError).slice(0, MAX_AFTERWARDS),
    };
  }
  return afterwards.length === 0 ? undefined : { afterwards: afterwards.slice(0, MAX_AFTERWARDS), warnings: [] };
}

/** The patch that follows a fix. Undefined also for one that may write over a file which the request does not name. */
function patchOf(body: unknown, { fix, ...finding }: Finding): ReturnType<typeof fixPatch> {
  // An error without a field comes from a trial run. Its fix sends options, or another output.
  const ofRun = namesSentBy(fix).includes('output') ? '/output' : '/parameters/';
  const field = finding.field === '' ? ofRun : finding.field;
  const isOutput = /^\/outputs?(?:\/|$)/.test(field) && !field.includes('/parameters/');
  if (isOutput && /"y":/.test(JSON.stringify(body))) return undefined;
  return fixPatch(body, { ...finding, field, fix });
}

/** How deep the first member is that a patch changes. */
const depthOf = ([first]: readonly PatchOperation[]): number => first?.path.split('/').length ?? 0;

const keyOf = ({ field, code, message }: FieldError): string => JSON.stringify([field, code, message]);

interface Finding extends FieldError {
  readonly isError: boolean;
}

/** The errors of arguments, or the warnings about them. Undefined if they cannot be checked now. */
async function findingsOf(
  tool: CheckedTool,
  sent: unknown,
  context: ToolContext,
  options?: { readonly onlyPlans: boolean },
): Promise<readonly Finding[] | undefined> {
  const value = asMeant(tool, sent);
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
