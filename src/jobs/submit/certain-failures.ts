import type { Caller } from '../../domain/client.ts';
import type { ConversionEstimate } from '../../domain/estimate.ts';
import { fileInputs, type Plan, type Warning } from '../../domain/plan.ts';
import { invalidRequest } from '../../domain/problem.ts';
import { warningsForClient } from '../../domain/recipe-options.ts';
import type { CommandTrial, Estimated, Estimator, Planner } from '../ports/ffmpeg.ts';
import type { PathStats } from '../ports/media-store.ts';
import type { CheckedRequest } from './check-request.ts';
import { fileWarnings } from './file-warnings.ts';
import { missingSequences } from './missing-sequences.ts';
import { pathWarnings } from './path-warnings.ts';

/** Codes of warnings with which the job fails as long as the files are as they are. A missing input may still arrive. */
const CERTAIN: ReadonlySet<string> = new Set([
  'NOTHING_LEFT',
  'UNSUPPORTED_FORMAT',
  'INPUT_INVALID',
  'UNSUPPORTED',
  'FFMPEG_FAILED',
  'OUTPUT_EXISTS',
]);

/** What tells how a job ends before it runs. */
export interface ForesightDeps {
  readonly planner: Planner;
  readonly media: PathStats;
  /** Absent if nothing is estimated. */
  readonly estimate?: Estimator;
  /** Absent if no command is tried. */
  readonly tryCommand?: CommandTrial;
}

/** What is known of a job before it is queued. */
export interface Foresight {
  /** What its files show. */
  readonly warnings: readonly Warning[];
  /** Absent if nothing is estimated. */
  readonly estimate?: ConversionEstimate;
}

/**
 * Throws INVALID_REQUEST if the job of a checked request would certainly fail: by what the request says, by an output that exists, by
 * what is in its inputs, or because its command fails at once. Returns what is known besides.
 *
 * @param hangUp Aborted when the caller disconnects, which ends the probes.
 */
export async function rejectCertainFailure(
  deps: ForesightDeps,
  caller: Caller,
  checked: CheckedRequest,
  hangUp?: AbortSignal,
): Promise<Foresight> {
  const known = [...checked.plan.warnings, ...pathWarnings(checked)];
  rejectAll(known.filter(isCertainFailure));
  const { plan, warnings, encoded, estimate } = await foreseen(deps, caller, checked, known, hangUp);
  // An encoder that the container does not hold may have no stream.
  const failing = checked.failing.flatMap(({ kind, warning }) => (encoded.has(kind) ? [warning] : []));
  rejectAll([...failing, ...warnings.filter(isCertainFailure)]);
  if (plan !== undefined)
    rejectAll((await deps.tryCommand?.(caller, checked.request, plan, checked.inputs, hangUp)) ?? []);
  const unfound = await missingSequences(deps.media, caller.root, checked.plan, checked.expected);
  return { warnings: [...warnings, ...unfound], ...(estimate && { estimate }) };
}

/** Whether a warning says that the job would certainly fail. */
export const isCertainFailure = ({ code }: Pick<Warning, 'code'>): boolean => CERTAIN.has(code);

function rejectAll(failing: readonly Warning[]): void {
  if (failing.length > 0)
    throw invalidRequest(
      failing.map(({ field = '', code, message, fix }) => ({
        field,
        code,
        message,
        ...(fix !== undefined && { fix }),
      })),
    );
}

/** What the files show. The recipe is applied already. */
async function foreseen(
  { planner, estimate }: ForesightDeps,
  caller: Caller,
  { request, inputs }: CheckedRequest,
  known: readonly Warning[],
  hangUp: AbortSignal | undefined,
): Promise<Foresight & { readonly plan?: Plan; readonly encoded: Estimated['encoded'] }> {
  const planned = estimate === undefined ? undefined : await planner(request, caller);
  if (estimate === undefined || planned?.ok !== true) return { warnings: [], encoded: new Set() };
  const plan = { ...planned.plan, inputs: fileInputs(planned.plan.inputs) };
  const found = await estimate(caller, plan, inputs, hangUp);
  const foreseenByFiles = warningsForClient(request, fileWarnings(plan, found, known));
  return { plan, warnings: foreseenByFiles, encoded: found.encoded, estimate: found.estimate };
}
