import { accessSync, constants } from 'node:fs';
import type { Failure } from '../../domain/failure.ts';
import { Problem } from '../../domain/problem.ts';
import type { Toolchain } from './toolchain.ts';

type Tools = Pick<Toolchain, 'build' | 'ffprobePath'>;

const RETRY_SECONDS = 30;

/** ffmpeg or ffprobe was there when the service started, and was removed since. */
export class ToolsRemoved extends Problem {
  constructor() {
    super(
      'UNAVAILABLE',
      `The ffmpeg of the service was removed while it runs. Ask the operator to install it again, or retry in ${RETRY_SECONDS} s.`,
      { retryAfterSeconds: RETRY_SECONDS },
    );
  }
}

/** Why a worker gives a job back to the queue. */
export const TOOLS_REMOVED: Failure = {
  code: 'NO_WORKER',
  message: 'The ffmpeg of the worker was removed while it runs. The job goes on once it is installed again.',
};

/**
 * The name of a program that was removed since the service started. Each submission asks: a synchronous call takes some microseconds,
 * the thread pool tens of them.
 */
export function removedTool({ build, ffprobePath }: Tools): 'ffmpeg' | 'ffprobe' | undefined {
  if (!isProgram(build.path)) return 'ffmpeg';
  return ffprobePath === undefined || isProgram(ffprobePath) ? undefined : 'ffprobe';
}

/** Throws `ToolsRemoved` if a program was removed. Without this check, its absence would look like a fault of the file. */
export function rejectRemovedTools(tools: Tools): void {
  if (removedTool(tools) !== undefined) throw new ToolsRemoved();
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
