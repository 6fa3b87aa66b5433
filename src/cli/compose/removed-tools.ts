import { access, constants } from 'node:fs/promises';
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

/** The name of a program that was removed since the service started, as an upgrade or a container without its volume does. */
export async function removedTool({ build, ffprobePath }: Tools): Promise<'ffmpeg' | 'ffprobe' | undefined> {
  if (!(await isProgram(build.path))) return 'ffmpeg';
  return ffprobePath === undefined || (await isProgram(ffprobePath)) ? undefined : 'ffprobe';
}

/** Throws `ToolsRemoved` if a program was removed. Without this check, its absence would look like a fault of the file. */
export async function rejectRemovedTools(tools: Tools): Promise<void> {
  if ((await removedTool(tools)) !== undefined) throw new ToolsRemoved();
}

const isProgram = (path: string): Promise<boolean> =>
  access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
