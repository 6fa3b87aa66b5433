import type { Failure } from '../../domain/failure.ts';
import { Problem } from '../../domain/problem.ts';
import type { BuildUnavailable } from '../../ffmpeg/catalogue/build-unavailable.ts';
import { isProgram, programState } from '../../ffmpeg/catalogue/program-state.ts';
import type { Toolchain } from './toolchain.ts';

type Tools = Pick<Toolchain, 'build' | 'ffprobePath'>;

const RETRY_SECONDS = 30;

/** How long it takes, at most, to identify a program that replaces another. */
const CHECK_SECONDS = 10;

/** ffmpeg or ffprobe was there when the service started, and cannot be used since. */
export class ToolsUnusable extends Problem {
  constructor({ what, fix, retryAfterSeconds }: ToolFault) {
    super(
      'UNAVAILABLE',
      `The ffmpeg of the service ${what} while it runs. Ask the operator to ${fix}, or retry in ${retryAfterSeconds} s.`,
      { retryAfterSeconds },
    );
  }
}

/** Why a worker gives a job back to the queue. */
export const toolsUnusable = ({ what }: ToolFault): Failure => ({
  code: 'NO_WORKER',
  message: `The ffmpeg of the worker ${what} while it runs. The job goes on once it is installed again.`,
});

/** Why a worker gives a job back to the queue that it cannot plan, because its ffmpeg cannot be queried. */
export const buildUnavailable = ({ fault: { version, what, fix } }: BuildUnavailable): Failure => ({
  code: 'NO_WORKER',
  message: `The ffmpeg ${version} of the worker ${what}. The job is tried again.${fix === undefined ? '' : ` ${fix}.`}`,
});

/** Why no job can run: `ffmpeg was removed while …`. */
export interface ToolFault {
  readonly program: 'ffmpeg' | 'ffprobe';
  /** `was removed`. */
  readonly what: string;
  /** `install it again`. */
  readonly fix: string;
  readonly retryAfterSeconds: number;
  /** Another program has its place, which may end without an error and do nothing. */
  readonly isReplaced?: true;
}

const INSTALL = { fix: 'install it again', retryAfterSeconds: RETRY_SECONDS };
const REPLACED = { program: 'ffmpeg', isReplaced: true, ...INSTALL } as const;

/**
 * Returns what makes a program unusable that was there when the service started: without this check, it would look like a fault of
 * the file. Another ffmpeg that works is not a fault: it runs what the catalogue knows, until the service restarts.
 */
export function toolFault({ build, ffprobePath }: Tools): ToolFault | undefined {
  switch (programState(build).kind) {
    case 'removed':
      return { program: 'ffmpeg', what: 'was removed', ...INSTALL };
    case 'unusable':
      return { ...REPLACED, what: 'was replaced by a program that is not ffmpeg or does not answer' };
    case 'being checked':
      return { ...REPLACED, what: 'was replaced, and is being checked,', retryAfterSeconds: CHECK_SECONDS };
    default:
      return ffprobePath === undefined || isProgram(ffprobePath)
        ? undefined
        : { program: 'ffprobe', what: 'was removed', ...INSTALL };
  }
}

/** Throws `ToolsUnusable` if a program was removed or replaced by one that cannot be used. */
export function rejectUnusableTools(tools: Tools): void {
  const fault = toolFault(tools);
  if (fault !== undefined) throw new ToolsUnusable(fault);
}
