import { defined } from '@telecine/contract/domain/defined.ts';
import type { Failure } from '@telecine/contract/domain/failure.ts';
import type { MediaInfo } from '@telecine/contract/domain/media-info.ts';
import { joinFindings, type OutputElement } from '@telecine/contract/domain/output-findings.ts';
import type { OutputPlan, Plan, PlannedOutput, Warning } from '@telecine/contract/domain/plan.ts';
import { pointerKey } from '@telecine/contract/domain/problem.ts';
import type { Prediction } from '../estimate/predict.ts';
import { MediaFacts, placed } from './facts/media-facts.ts';
import type { ComparedPass, FinishedPass } from './facts/pass.ts';
import { foreseePass } from './foreseen-pass.ts';
import type { FaultGuard, Finding, Found, RequestContext } from './rule.ts';
import { rowsOf } from './table.ts';

const REQUEST_ROWS = rowsOf('plan');
const RESULT_ROWS = rowsOf('result');

type Rows<Context> = readonly Readonly<{ id: string; find: (context: Context) => Found }>[];

/** Returns the findings of rows, in their order. A row that throws finds nothing, and `guard` reports it. */
function findingsOf<Context>(rows: Rows<Context>, context: Context, guard: FaultGuard): readonly Finding[] {
  const found: Finding[] = [];
  for (const { id, find } of rows) {
    for (const one of [guard(() => find(context), [])].flat()) found.push({ ...one, rule: id });
  }
  return found;
}

/** Returns the warnings about a request for one output: those of the rows, and `others` about its values. */
export const requestWarnings = (
  context: RequestContext,
  others: readonly Warning[],
  guard: FaultGuard,
): readonly Warning[] => {
  const sent = new Set([...context.options, ...context.sharedOptions].map(({ name }) => name.name));
  const rows = REQUEST_ROWS.filter(({ about }) => about === undefined || about.some((name) => sent.has(name)));
  return [...findingsOf(rows, context, guard), ...others];
};

/** Compares the result of a pass with its sources by some rows. The warnings have the fields of the request. */
function compare(pass: ComparedPass, rows: typeof RESULT_ROWS, guard: FaultGuard): readonly Warning[] {
  const facts = new MediaFacts(pass.plan, pass.inputs, pass.used);
  const found = findingsOf(rows, { facts, pass, isPredicted: pass.complaints === undefined }, guard);
  return found.flatMap((one) => guard(() => [placed(facts, one)], []));
}

/** Returns what a finished run lacks of its sources and its request, except for what the plan said already. Pure. */
export function resultWarnings(pass: FinishedPass, guard: FaultGuard): readonly Warning[] {
  const { plan } = pass;
  const isKnown = ({ code, rule, field = '' }: Warning): boolean =>
    plan.warnings.some(
      (one) =>
        one.code === code &&
        one.field === (field === '/output' ? plan.output.field : field) &&
        (one.rule ?? rule) === rule,
    );
  return compare(pass, RESULT_ROWS, guard).filter((one) => !isKnown(one));
}

/** The codes of findings with which a job fails. */
const FAILING = ['FFMPEG_FAILED', 'UNSUPPORTED', 'INPUT_INVALID'] as const;

const failureCodeOf = ({ code }: Warning) => FAILING.find((one) => one === code);

/** The only row that holds for a cut whose parts are not known yet. */
const OF_CUTS = 'key-frame-cuts';

/**
 * Compares a predicted result with its sources, as `resultWarnings` does with the real one after the run. Pure.
 *
 * @param media What ffprobe found in each input.
 * @param output undefined if the output is not known.
 */
export function foreseenWarnings(
  plan: OutputPlan,
  media: readonly MediaInfo[],
  output: Prediction | undefined,
  guard: FaultGuard,
): readonly Warning[] {
  // With `leftOut`, the probe does not list all streams of the file, and the request may use a stream that is not listed.
  if (media.some(({ leftOut }) => (leftOut?.streams ?? 0) > 0)) return [];
  const isCut = plan.cut?.isAssumed === true || plan.cut?.mode === 'copy';
  const rows = isCut ? RESULT_ROWS.filter(({ id }) => id === OF_CUTS) : RESULT_ROWS;
  const found = compare(foreseePass(plan, media, output), rows, guard);
  const failing = found.find(failureCodeOf);
  return failing === undefined ? found : [{ ...failing, message: `${failing.message} The job would fail.` }];
}

/** The rules whose findings fail a run, whatever it wrote. */
const EXPLAINING: ReadonlySet<string> = new Set(['failing-streams', 'outside-input']);

/**
 * Finds why a run failed by comparing its request with its sources: what a dry run would have foreseen, in the same words. Pure.
 *
 * @param rules The ids of rules that explain this run, besides those that explain any failure.
 * @returns undefined if only the log of the run says it.
 */
export function comparedFailure(
  { plan, inputs, used, outputStreams }: Pick<ComparedPass, 'inputs' | 'used' | 'outputStreams'> & { plan: OutputPlan },
  rules: readonly string[],
  guard: FaultGuard,
): Failure | undefined {
  // If an input is missing, ffmpeg failed while it opened that input.
  if (inputs.length < (plan.passes.at(-1) ?? []).filter((word) => word === '-i').length) return undefined;
  const pass = { plan, inputs, used, outputStreams, outputTraits: new Map(), writtenSeconds: undefined };
  const rows = RESULT_ROWS.filter(({ id }) => EXPLAINING.has(id) || rules.includes(id));
  return compare(pass, rows, guard).flatMap((one) => {
    const code = failureCodeOf(one);
    const { message, fix, absent } = one;
    return code === undefined ? [] : [{ ...defined({ fix, about: absent && { absent } }), code, message }];
  })[0];
}

/** Joins the warnings about the outputs of a run. `found`: a list for each output, in the order of the plan. */
export const warningsOfRun = ({ outputs }: Plan, found: readonly (readonly Warning[])[]): readonly Warning[] =>
  outputs.some(({ field }) => field === '/output') ? found.flat() : joinFindings(outputs.map(elementOf), found);

function elementOf({ field, fields = {}, path }: PlannedOutput): OutputElement {
  const pointer = field.replace(/\/output$/, '');
  const start = `${pointer}/parameters/`;
  const own = Object.values(fields).filter((one) => one.startsWith(start));
  return { pointer, path, hasFormat: false, names: new Set(own.map((one) => pointerKey(one.slice(start.length)))) };
}
