import { availableParallelism } from 'node:os';
import type { Config } from '../config/config.ts';
import { plan } from '../ffmpeg/plan/planner.ts';
import { convert } from '../ffmpeg/run/run.ts';
import { defaultLimits } from '../ffmpeg/sandbox/limits.ts';
import type { Converter, Planner } from '../jobs/ports.ts';
import type { Tools } from './tools.ts';

/** Plans from what is known of ffmpeg; asks it first for what is not. */
export function planner(tools: Promise<Tools>): Planner {
  let opened: Tools | undefined;
  void tools.then(
    (t) => {
      opened = t;
    },
    () => {},
  );
  const planWith = ({ catalogue, sandbox }: Tools, request: Parameters<Planner>[0], root: string) =>
    plan(request, { catalogue: catalogue.current, root, sandboxed: sandbox.kind !== 'none' });
  return (request, root) => {
    if (opened?.catalogue.knows(request)) return planWith(opened, request, root);
    return tools.then(async (t) => {
      await t.catalogue.ensure(request);
      return planWith(t, request, root);
    });
  };
}

/** Runs planned conversions with the ffmpeg and the sandbox that were found. */
export const converter =
  (tools: Promise<Tools>, config: Pick<Config, 'jobTimeoutSeconds' | 'stallTimeoutSeconds'>): Converter =>
  async ({ plan: planned, scratch, mounts, signal, onStart, onProgress }) => {
    const { build, sandbox } = await tools;
    return convert({
      plan: planned,
      dir: scratch.dir,
      mounts,
      ffmpegPath: build.path,
      sandbox,
      limits: defaultLimits(config.jobTimeoutSeconds, availableParallelism()),
      timeoutSeconds: config.jobTimeoutSeconds,
      stallSeconds: config.stallTimeoutSeconds,
      signal,
      onStart,
      onProgress,
    });
  };
