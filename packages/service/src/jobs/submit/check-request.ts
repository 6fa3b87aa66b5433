import type { Caller } from '@telecine/contract/domain/client.ts';
import type { ConversionRequest } from '@telecine/contract/domain/conversion.ts';
import { hiddenPartErrors } from '@telecine/contract/domain/hidden-parts.ts';
import type { MediaPath } from '@telecine/contract/domain/media-path.ts';
import { type FieldError, invalidRequest, outputIsInput } from '@telecine/contract/domain/problem.ts';
import { priorityError } from '@telecine/contract/domain/queue-order.ts';
import type { PlanOfPaths } from '../ports/ffmpeg.ts';
import type { PathStat, PathStats } from '../ports/media-store.ts';
import { type PrepareDeps, type PreparedRequest, type PrepareOptions, prepareRequest } from './prepare-request.ts';
import type { CheckedPaths } from './request-warnings.ts';

/** Returns the error of the `callbackUrl` of a request. undefined: there is none. */
type CheckCallback = (clientId: string, callbackUrl: string) => Promise<FieldError | undefined>;

export interface CheckedRequest<P extends PlanOfPaths = PlanOfPaths>
  extends PreparedRequest<P>,
    Omit<CheckedPaths, 'plan'> {}

export interface CheckDeps<P extends PlanOfPaths> extends PrepareDeps<P> {
  readonly media: PathStats;
  readonly checkCallback?: CheckCallback;
}

/**
 * Checks everything that can be checked before a job runs: prepares the request and compares its paths with the files.
 * A missing input is allowed, because the file may still arrive. Throws INVALID_REQUEST, also for warnings about a
 * strict request.
 */
export async function checkRequest<P extends PlanOfPaths>(
  deps: CheckDeps<P>,
  caller: Caller,
  sent: ConversionRequest,
  options: PrepareOptions = {},
): Promise<CheckedRequest<P>> {
  const { callbackUrl } = sent;
  // Before the other checks, which would report a key with wrong digits, or a URL that cannot be fetched.
  const hidden = hiddenPartErrors(sent);
  if (hidden.length > 0) throw invalidRequest(hidden);
  const wrongCallback = callbackUrl ? await deps.checkCallback?.(caller.clientId, callbackUrl) : undefined;
  const wrong = wrongCallback ?? priorityError(sent, caller.policy);
  if (wrong !== undefined) throw invalidRequest([wrong]);
  const prepared = await prepareRequest(deps, caller, sent, options);
  const { outputs, inputs } = prepared.plan;
  const paths = [...outputs, ...inputs].map(({ path }) => path);
  return checkPaths(prepared, await deps.media.statPaths(caller.root, paths), options);
}

/** Compares a plan with the files at its paths. Throws INVALID_REQUEST. */
function checkPaths<P extends PlanOfPaths>(
  prepared: PreparedRequest<P>,
  stats: readonly PathStat[],
  { findExpected }: PrepareOptions,
): CheckedRequest<P> {
  const { plan } = prepared;
  const outputs = stats.slice(0, plan.outputs.length);
  const inputs = stats.slice(plan.outputs.length);
  const errors = pathErrors(plan, outputs, inputs);
  if (errors.length > 0) throw invalidRequest(errors);
  const isMissing = inputs.some(({ kind }) => kind === 'missing');
  const expected = isMissing && findExpected !== undefined ? indexesOf(plan, findExpected()) : NO_INDEXES;
  return { ...prepared, outputs, inputs, expected };
}

const NO_INDEXES: ReadonlySet<number> = new Set();

const indexesOf = ({ inputs }: PlanOfPaths, paths: ReadonlySet<MediaPath>): ReadonlySet<number> =>
  new Set(inputs.flatMap(({ path }, index) => (paths.has(path) ? [index] : [])));

const MISSING: PathStat = { kind: 'missing' };

function pathErrors(plan: PlanOfPaths, outputs: readonly PathStat[], inputs: readonly PathStat[]): FieldError[] {
  const errors: FieldError[] = [];
  plan.outputs.forEach(({ field }, index) => {
    const stat = outputs[index] ?? MISSING;
    const error = pathError(field, 'output', stat);
    if (error !== undefined) errors.push(error);
  });
  plan.inputs.forEach(({ field }, index) => {
    const input = inputs[index] ?? MISSING;
    const inputError = pathError(field, 'input', input);
    if (inputError !== undefined) errors.push(inputError);
    if (input.kind !== 'file') return;
    // If several outputs are the same file, report the last one.
    const same = outputs.findLastIndex((output) => output.kind === 'file' && output.fileId === input.fileId);
    const output = plan.outputs[same];
    if (output !== undefined) errors.push(outputIsInput(field, output.field));
  });
  return errors;
}

/** Returns the error of a path that cannot be an input or an output. */
export function pathError(field: string, role: 'input' | 'output', stat: PathStat): FieldError | undefined {
  switch (stat.kind) {
    case 'directory':
      return { field, code: 'IS_DIRECTORY', message: `The ${role} is a folder, not a file.` };
    case 'outside':
      return {
        field,
        code: 'OUTSIDE_ROOT',
        message: `The ${role} resolves outside your media root or to a reserved file.`,
      };
    case 'special':
      return { field, code: 'NOT_A_FILE', message: `The ${role} is a device, pipe or socket, not a file.` };
    default:
      return undefined;
  }
}
