import { closeSync } from 'node:fs';
import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type ClientLimits, mergeClientLimits } from '@telecine/contract/domain/client-limits.ts';
import type { ConversionRequest } from '@telecine/contract/domain/conversion.ts';
import { JobFailed } from '@telecine/contract/domain/failure.ts';
import { RESERVED_PREFIX } from '@telecine/contract/domain/media-path.ts';
import type { Plan as ConversionPlan } from '@telecine/contract/domain/plan.ts';
import { type FieldError, invalidRequest } from '@telecine/contract/domain/problem.ts';
import { allErrors } from '@telecine/contract/wire/all-errors.ts';
import { localConversionBody } from '@telecine/contract/wire/conversion.ts';
import { fieldErrors } from '@telecine/contract/wire/explain.ts';
import { type Build, fileStamp, findFfprobe, findProgram, identifyBuild, OLDEST_RELEASE } from '../catalogue/build.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { openCatalogue } from '../catalogue/open-catalogue.ts';
import { conversionFault, ToolsUnusable } from '../catalogue/tool-faults.ts';
import { withUsableVmaf } from '../catalogue/vmaf-model.ts';
import type { PlanOrErrors } from '../plan/plan-facts.ts';
import { planForBuilds } from '../plan/plan-step.ts';
import { runConversion } from '../run/run.ts';
import { trySandboxes } from '../sandbox/find-sandbox.ts';
import { CORES } from '../sandbox/limits.ts';
import { type Sandbox, weaknessOf } from '../sandbox/sandbox.ts';
import { checkOutputs, findInputs, publishOutputs } from './local-files.ts';
import { DEFAULT_RUN_LIMITS, RUN_SECONDS } from './run-limits.ts';
import type { Ffmpeg, OpenOptions, Plan, RunOptions, RunResult } from './types.ts';
import { failureView, outputFile, rejected, warningIn } from './views.ts';

export type * from './types.ts';

/**
 * Finds an installed ffmpeg and its sandbox, and asks ffmpeg what it offers. Takes half a second without `cacheFolder`. Throws an error
 * whose message says what to do if ffmpeg is missing or older than 5.1, or if a required sandbox does not work.
 */
export async function openFfmpeg(options: OpenOptions): Promise<Ffmpeg> {
  const { sandbox: mode = 'required', searchPath = '', niceness = 0, onFault = () => undefined } = options;
  const root = await realpath(options.mediaRoot);
  const path = await findProgram('ffmpeg', options.path, searchPath);
  if (path === undefined)
    throw new Error(
      options.path === undefined
        ? 'ffmpeg is not in the folders of "searchPath". Install it, and pass "searchPath": process.env.PATH, or "path".'
        : `"path": ${options.path} cannot be run. Pass the path of the ffmpeg program.`,
    );
  const ffprobePath = await findFfprobe(undefined, path, searchPath);
  const others = ffprobePath === undefined ? [] : [ffprobePath];
  const { sandbox, versionText } = await trySandboxes(mode, path, [root], others, { niceness });
  const build = await identifyBuild(path, versionText);
  if (build.isSupported === false)
    throw new Error(`${path} is version ${build.version}. Install ffmpeg ${OLDEST_RELEASE.join('.')} or newer.`);
  const catalogue = await withUsableVmaf(await openCatalogue(build, options.cacheFolder, onFault), onFault);
  const policy = mergeClientLimits(DEFAULT_RUN_LIMITS, options.limits);
  const tools = { build, sandbox, policy, ...(ffprobePath !== undefined && { ffprobePath }) };
  const plans = new WeakMap<Plan, KnownPlan>();
  const weakness = weaknessOf(sandbox);
  let isClosed = false;
  return {
    version: build.version,
    sandbox: { kind: sandbox.kind, ...(weakness !== undefined && { weakness }) },
    plan: async (sent) => {
      // Reduce the request to what JSON can hold: only that is checked and shown in errors.
      const request: unknown = JSON.parse(JSON.stringify(sent) ?? 'null');
      const planned = await checkRequest(request, (valid) => planValid(valid, root, catalogue, policy));
      if (!planned.ok) return rejected(planned.errors, request);
      for (const fault of planned.plan.faults ?? []) onFault(new Error(fault));
      const { passes, warnings } = planned.plan;
      const plan: Plan = { ok: true, argv: passes, errors: [], warnings: warnings.map(warningIn(request)) };
      plans.set(plan, { plan: planned.plan, request });
      return plan;
    },
    run: async (plan, runOptions = {}) => {
      const known = plans.get(plan);
      if (known === undefined) throw new TypeError('Pass a plan that "plan" of the same object returned.');
      return run({ ...tools, root, stallSeconds: options.stallSeconds ?? 120, onFault }, known, runOptions);
    },
    close: async () => {
      if (sandbox.kind === 'landlock' && !isClosed) closeSync(sandbox.filterFd);
      isClosed = true;
    },
  };
}

/** A plan and its request. */
interface KnownPlan {
  readonly plan: ConversionPlan;
  readonly request: unknown;
}

/** Validates a request with its schema, then plans it. Returns the plan, or the errors of either step. */
async function checkRequest(
  request: unknown,
  planOf: (valid: ConversionRequest) => PlanOrErrors,
): Promise<PlanOrErrors> {
  const parsed = localConversionBody.safeParse(request);
  if (parsed.success) return planOf(parsed.data);
  const own = fieldErrors(localConversionBody, parsed.error.issues, request);
  const errors = await allErrors(localConversionBody, request, own, async (valid) => {
    const planned = planOf(valid);
    if (!planned.ok) throw invalidRequest(planned.errors);
  });
  return { ok: false, errors };
}

/** Plans a valid request. */
function planValid(request: ConversionRequest, root: string, catalogue: Catalogue, policy: ClientLimits): PlanOrErrors {
  const task = { request, scope: { pathPrefix: root, grants: [] }, facts: { policy, cores: CORES } };
  return withoutSequences(planForBuilds(task, [catalogue]).result);
}

/** Rejects a plan that reads an image sequence. */
function withoutSequences(planned: PlanOrErrors): PlanOrErrors {
  const frames = planned.ok ? planned.plan.inputs.find(({ sequence }) => sequence !== undefined) : undefined;
  return frames === undefined ? planned : { ok: false, errors: [sequenceError(frames.field, frames.path)] };
}

const sequenceError = (field: string, path: string): FieldError => ({
  field,
  code: 'NOT_ALLOWED',
  message: `"${path}" is an image sequence, which the library does not read.`,
  fix: 'Send each image in "inputs", with a "duration".',
});

interface RunTools {
  readonly root: string;
  readonly build: Build;
  readonly ffprobePath?: string;
  readonly sandbox: Sandbox;
  readonly policy: ClientLimits;
  readonly stallSeconds: number;
  readonly onFault: (error: unknown) => void;
}

/** Runs a plan in a scratch folder of the media root, and links the outputs into place. */
async function run(
  { root, build, ...tools }: RunTools,
  { plan, request }: KnownPlan,
  { onProgress, signal = new AbortController().signal }: RunOptions,
): Promise<RunResult> {
  const dir = await mkdtemp(join(root, `${RESERVED_PREFIX}-`));
  let log = '';
  try {
    const inputs = await findInputs(root, plan);
    await checkOutputs(root, plan, inputs);
    await Promise.all(['in', 'out'].map((name) => mkdir(join(dir, name))));
    let stamp = fileStamp(build.path);
    const outcome = await runConversion({
      ...tools,
      plan,
      dir,
      signal,
      mounts: inputs,
      ffmpegPath: build.path,
      timeoutSeconds: tools.policy.time ?? RUN_SECONDS,
      onPass: () => {
        stamp = fileStamp(build.path);
      },
      // Catch errors of the caller's function, so that they do not end the conversion.
      onProgress: (progress) => {
        try {
          onProgress?.(progress);
        } catch (error) {
          tools.onFault(error);
        }
      },
    });
    log = outcome.log;
    const fault = signal.aborted ? undefined : await conversionFault({ ...tools, build }, outcome, stamp);
    if (fault !== undefined) throw new ToolsUnusable(fault);
    if (!outcome.ok) throw new JobFailed(outcome.failure);
    const outputs = await publishOutputs({ root, dir, plan, reports: outcome.outputs, inputs });
    return { ok: true, outputs: outputs.map(outputFile), warnings: outcome.warnings.map(warningIn(request)), log };
  } catch (error) {
    if (!(error instanceof JobFailed)) throw error;
    return { ok: false, failure: failureView(error.failure), log };
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}
