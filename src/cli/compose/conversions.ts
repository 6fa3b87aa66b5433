import { availableParallelism } from 'node:os';
import type { Config } from '../../config/config.ts';
import type { Catalogue } from '../../ffmpeg/catalogue/catalogue.ts';
import { pathsLikeBefore, rememberPlanned } from '../../ffmpeg/plan/plan-cache.ts';
import { plan } from '../../ffmpeg/plan/planner.ts';
import { parseRequest } from '../../ffmpeg/plan/request/parse-request.ts';
import { findMissingFacts } from '../../ffmpeg/plan/required-facts.ts';
import { runConversion } from '../../ffmpeg/run/run.ts';
import type { Converter, ConverterFiles, PathPlanner, Planner, Terms } from '../../jobs/ports.ts';
import type { Tools } from './toolchain.ts';

export interface Planners {
  readonly planner: Planner;
  readonly pathPlanner: PathPlanner;
}

/** Plan from what is known of ffmpeg; ask it first for what is not. */
export function planners(tools: Promise<Tools>): Planners {
  let opened: Tools | undefined;
  void tools.then(
    (t) => {
      opened = t;
    },
    () => {},
  );
  const cores = availableParallelism();
  const factsOf = (catalogue: Catalogue, { root, policy }: Terms) => ({
    catalogue,
    root: root.pathPrefix,
    policy,
    cores,
  });
  const planner: Planner = (request, terms) => {
    const parsed = parseRequest(request, terms.root.pathPrefix);
    const findMissing = (catalogue: Catalogue) => findMissingFacts(parsed, catalogue);
    const planWith = (catalogue: Catalogue) => {
      const facts = factsOf(catalogue, terms);
      const planned = plan(parsed, facts);
      if (planned.ok) rememberPlanned(request, facts);
      return planned;
    };
    const known = opened?.catalogue.current;
    if (known !== undefined && findMissing(known) === undefined) return planWith(known);
    return tools.then(async ({ catalogue }) => planWith(await catalogue.ensure(findMissing)));
  };
  return {
    planner,
    pathPlanner: (request, terms) => {
      const paths = opened && pathsLikeBefore(request, factsOf(opened.catalogue.current, terms));
      return paths === undefined ? planner(request, terms) : { ok: true, plan: paths };
    },
  };
}

/** Runs planned conversions with the ffmpeg and the sandbox that were found. */
export const converter =
  (
    tools: Promise<Tools>,
    files: ConverterFiles,
    config: Pick<Config, 'jobTimeoutSeconds' | 'stallTimeoutSeconds'>,
  ): Converter =>
  async ({ plan: planned, policy, scratch, inputs, signal, onStart, onProgress }) => {
    const { build, ffprobePath, sandbox } = await tools;
    return runConversion({
      plan: planned,
      dir: files.scratchFolder(scratch),
      mounts: files.mounts(inputs),
      ffmpegPath: build.path,
      ...(ffprobePath === undefined ? {} : { ffprobePath }),
      sandbox,
      policy,
      timeoutSeconds: Math.min(config.jobTimeoutSeconds, policy.time ?? Number.POSITIVE_INFINITY),
      stallSeconds: config.stallTimeoutSeconds,
      signal,
      onStart,
      onProgress,
    });
  };
