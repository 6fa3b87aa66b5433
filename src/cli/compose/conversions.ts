import { availableParallelism } from 'node:os';
import type { Config } from '../../config/config.ts';
import type { ConversionRequest } from '../../domain/conversion.ts';
import { planCache, type RequestShape, requestShape, type ShapePlan } from '../../ffmpeg/plan/plan-cache.ts';
import { plan } from '../../ffmpeg/plan/planner.ts';
import { parseRequest } from '../../ffmpeg/plan/request/parse-request.ts';
import { findMissingFacts } from '../../ffmpeg/plan/required-facts.ts';
import { runConversion } from '../../ffmpeg/run/run.ts';
import type {
  ClientContext,
  Converter,
  ConverterFiles,
  Planner,
  SubmissionPlanner,
  SubmittedPlan,
} from '../../jobs/ports.ts';
import type { Toolchain } from './toolchain.ts';

export interface Planners {
  readonly planner: Planner;
  readonly submissionPlanner: SubmissionPlanner;
}

/** Creates the planners. They first query ffmpeg for facts that a request needs and the catalogue does not have. */
export function planners(tools: Promise<Toolchain>): Planners {
  const cores = availableParallelism();
  const cache = planCache();
  const factsOf = ({ root, policy }: ClientContext) => ({ root: root.pathPrefix, policy, cores });
  const planWith = async ({ catalogue }: Toolchain, request: ConversionRequest, context: ClientContext) => {
    const parsed = parseRequest(request, context.root.pathPrefix);
    const facts = await catalogue.ensure((known) => findMissingFacts(parsed, known));
    return { result: plan(parsed, { ...factsOf(context), catalogue: facts }), catalogue: facts };
  };
  return {
    planner: async (request, context) => (await planWith(await tools, request, context)).result,
    submissionPlanner: async (request, context) => {
      const opened = await tools;
      const shape = requestShape(request, factsOf(context));
      const known = shape && cache.get(shape, opened.catalogue.current);
      if (shape !== undefined && known !== undefined) return { ok: true, plan: submittedPlan(shape, known) };
      const { result, catalogue } = await planWith(opened, request, context);
      if (shape !== undefined && result.ok) cache.add(shape, catalogue, result.plan);
      return result;
    },
  };
}

const submittedPlan = ({ paths }: RequestShape, { replace, sequence, warnings }: ShapePlan): SubmittedPlan => ({
  inputs: sequence === undefined ? paths.inputs : paths.inputs.map((input) => ({ ...input, sequence })),
  output: { path: paths.output.path, replace },
  warnings,
});

/** Runs planned conversions with the ffmpeg and the sandbox that were found. */
export const converter =
  (
    tools: Promise<Toolchain>,
    files: ConverterFiles,
    config: Pick<Config, 'jobTimeoutSeconds' | 'stallTimeoutSeconds'>,
  ): Converter =>
  async ({ plan: planned, policy, scratch, inputs, signal, onCountable, onStart, onProgress }) => {
    const { build, ffprobePath, sandbox, cgroups } = await tools;
    return runConversion({
      plan: planned,
      dir: files.scratchFolder(scratch),
      mounts: files.mounts(inputs),
      ffmpegPath: build.path,
      ...(ffprobePath === undefined ? {} : { ffprobePath }),
      sandbox,
      ...(cgroups.kind === 'none' ? {} : { cgroups }),
      policy,
      timeoutSeconds: Math.min(config.jobTimeoutSeconds, policy.time ?? Number.POSITIVE_INFINITY),
      stallSeconds: config.stallTimeoutSeconds,
      signal,
      onCountable,
      onStart,
      onProgress,
    });
  };
