import type { Caller } from '@telecine/contract/domain/client.ts';
import type { ConversionRequest } from '@telecine/contract/domain/conversion.ts';
import { formatOfOptions, nameInFolder } from '@telecine/contract/domain/folder-output.ts';
import { otherSpellings } from '@telecine/contract/domain/foreign-path.ts';
import { hiddenPartErrors } from '@telecine/contract/domain/hidden-parts.ts';
import { type MaybePromise, whenKnown } from '@telecine/contract/domain/maybe-promise.ts';
import { fileInFolder, type MediaPath } from '@telecine/contract/domain/media-path.ts';
import { type FieldError, invalidRequest, outputIsInput } from '@telecine/contract/domain/problem.ts';
import { priorityError } from '@telecine/contract/domain/queue-order.ts';
import type { PlanOfPaths } from '../ports/ffmpeg.ts';
import type { PathStat, PathStats } from '../ports/media-store.ts';
import { type InputTimes, withInputTimes } from './input-probes.ts';
import { type PrepareDeps, type PreparedRequest, type PrepareOptions, prepareRequest } from './prepare-request.ts';
import { type CheckedPaths, findHostPaths } from './request-warnings.ts';

/** Returns the error of the `callbackUrl` of a request. undefined: there is none. */
type CheckCallback = (clientId: string, callbackUrl: string) => Promise<FieldError | undefined>;

export interface CheckedRequest<P extends PlanOfPaths = PlanOfPaths>
  extends PreparedRequest<P>,
    Omit<CheckedPaths, 'plan'> {}

export interface CheckDeps<P extends PlanOfPaths> extends PrepareDeps<P> {
  readonly media: PathStats;
  readonly checkCallback?: CheckCallback;
  /**
   * Probes the length and the frame rate of an input, for fixes such as a time in seconds. Absent: fixes do not contain
   * them.
   */
  readonly inputTimes?: InputTimes;
}

/**
 * Checks everything that can be checked before a job runs: prepares the request and compares its paths with the files.
 * A missing input is allowed, because the file may still arrive. Throws INVALID_REQUEST, also for warnings about a
 * strict request. Returns a promise only if a check has to wait.
 */
export function checkRequest<P extends PlanOfPaths>(
  deps: CheckDeps<P>,
  caller: Caller,
  sent: ConversionRequest,
  options: PrepareOptions = {},
): MaybePromise<CheckedRequest<P>> {
  const explain = async (error: unknown): Promise<never> => {
    throw await withInputTimes(error, sent, async (path) => deps.inputTimes?.(caller, path));
  };
  try {
    const checked = checkSent(deps, caller, sent, options);
    return checked instanceof Promise ? checked.catch(explain) : checked;
  } catch (error) {
    return explain(error);
  }
}

function checkSent<P extends PlanOfPaths>(
  deps: CheckDeps<P>,
  caller: Caller,
  sent: ConversionRequest,
  options: PrepareOptions,
): MaybePromise<CheckedRequest<P>> {
  const { callbackUrl } = sent;
  // Before the other checks, which would report a key with wrong digits, or a URL that cannot be fetched.
  const hidden = hiddenPartErrors(sent);
  if (hidden.length > 0) throw invalidRequest(hidden);
  const callbackError = callbackUrl ? deps.checkCallback?.(caller.clientId, callbackUrl) : undefined;
  return whenKnown(callbackError, (wrongCallback) => {
    const wrong = wrongCallback ?? priorityError(sent, caller.policy);
    if (wrong !== undefined) throw invalidRequest([wrong]);
    return whenKnown(prepareRequest(deps, caller, sent, options), (prepared) => {
      const { outputs, inputs } = prepared.plan;
      const paths = [...outputs, ...inputs].map(({ path }) => path);
      return whenKnown(deps.media.statPaths(caller.root, paths), (stats) =>
        checkPaths(deps.media, caller, prepared, stats, options),
      );
    });
  });
}

/** Compares a plan with the files at its paths. Throws INVALID_REQUEST. */
function checkPaths<P extends PlanOfPaths>(
  media: PathStats,
  caller: Caller,
  prepared: PreparedRequest<P>,
  stats: readonly PathStat[],
  { findExpected }: PrepareOptions,
): MaybePromise<CheckedRequest<P>> {
  const { request, plan } = prepared;
  const outputs = stats.slice(0, plan.outputs.length);
  const inputs = stats.slice(plan.outputs.length);
  const errors = pathErrors(request, plan, outputs, inputs);
  if (errors.length > 0) throw invalidRequest(errors);
  const isMissing = inputs.some(({ kind }) => kind === 'missing');
  const expected = isMissing && findExpected !== undefined ? indexesOf(plan, findExpected()) : NO_INDEXES;
  const otherNames = isMissing ? findMeant(media, caller, plan, inputs, expected) : NONE_MEANT;
  return whenKnown(otherNames, (meant) =>
    whenKnown(findHostPaths(media, caller, { request, plan, meant, inputs }), (hostPaths) => {
      return { ...prepared, outputs, inputs, expected, meant, hostPaths };
    }),
  );
}

const NO_INDEXES: ReadonlySet<number> = new Set();
const NONE_MEANT: ReadonlyMap<number, MediaPath> = new Map();

const indexesOf = ({ inputs }: PlanOfPaths, paths: ReadonlySet<MediaPath>): ReadonlySet<number> =>
  new Set(inputs.flatMap(({ path }, index) => (paths.has(path) ? [index] : [])));

/** The maximum number of missing inputs for which the service looks for files with a similar path. */
const MAX_SEARCHED = 3;

async function findMeant(
  media: PathStats,
  caller: Caller,
  plan: PlanOfPaths,
  inputs: readonly PathStat[],
  expected: ReadonlySet<number>,
): Promise<ReadonlyMap<number, MediaPath>> {
  const meant = new Map<number, MediaPath>();
  const missing = plan.inputs.flatMap(({ path, sequence }, index) =>
    inputs[index]?.kind === 'missing' && sequence === undefined && !expected.has(index) ? [{ path, index }] : [],
  );
  for (const { path, index } of missing.slice(0, MAX_SEARCHED)) {
    const spellings = otherSpellings(path);
    const stats = await media.statPaths(caller.root, spellings);
    const found = spellings.find((_spelling, at) => stats[at]?.kind === 'file');
    if (found !== undefined) meant.set(index, found);
  }
  return meant;
}

const MISSING: PathStat = { kind: 'missing' };

function pathErrors(
  request: ConversionRequest,
  plan: PlanOfPaths,
  outputs: readonly PathStat[],
  inputs: readonly PathStat[],
): FieldError[] {
  const errors: FieldError[] = [];
  plan.outputs.forEach(({ field, path }, index) => {
    const stat = outputs[index] ?? MISSING;
    if (stat.kind === 'missing' || stat.kind === 'file') return;
    const { format = request.format, parameters = request.parameters } = request.outputs?.[index] ?? {};
    const named = format ?? parameters?.['f']?.toString() ?? formatOfOptions(Object.keys(parameters ?? {}));
    const error = pathError(field, 'output', stat, path, nameInFolder(named, plan.inputs[0]?.path));
    if (error !== undefined) errors.push(error);
  });
  plan.inputs.forEach(({ field, path }, index) => {
    const input = inputs[index] ?? MISSING;
    const inputError = pathError(field, 'input', input, path);
    if (inputError !== undefined) errors.push(inputError);
    if (input.kind !== 'file') return;
    // If several outputs are the same file, report the last one.
    const same = outputs.findLastIndex((output) => output.kind === 'file' && output.fileId === input.fileId);
    const output = plan.outputs[same];
    if (output !== undefined) errors.push(outputIsInput(field, output.field, output.path));
  });
  return errors;
}

/**
 * Returns the error of a path that cannot be an input or an output. `name`: the file name that the fix suggests if the
 * path is a folder.
 */
export function pathError(
  field: string,
  role: 'input' | 'output',
  stat: PathStat,
  path: MediaPath,
  name?: string,
): FieldError | undefined {
  switch (stat.kind) {
    case 'directory':
      return { field, code: 'IS_DIRECTORY', message: `The ${role} is a folder.`, fix: fileInFolder(path, name) };
    case 'outside':
      return {
        field,
        code: 'OUTSIDE_ROOT',
        message: `The ${role} resolves outside your media root or to a reserved file.`,
        fix: 'Send a path that stays inside your media root.',
      };
    case 'special':
      return {
        field,
        code: 'NOT_A_FILE',
        message: `The ${role} is a device, pipe or socket.`,
        fix: 'Send the path of a file.',
      };
    default:
      return undefined;
  }
}
