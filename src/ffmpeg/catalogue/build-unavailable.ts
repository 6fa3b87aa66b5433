import { Problem } from '../../domain/problem.ts';
import type { Build } from './build.ts';

/** Why a build cannot be queried. */
interface BuildFault {
  /** `does not answer`. */
  readonly what: string;
  /** `Send the request without it`. Absent if all that helps is to wait. */
  readonly fix?: string;
  /** Whether the build is one of a worker, and not of the service itself. */
  readonly isOfWorker?: boolean;
}

/**
 * ffmpeg cannot be asked now. Requests that need no new facts of it still work. It has no cause, because the service logs the fault
 * once, and not with every request.
 */
export class BuildUnavailable extends Problem {
  readonly fault: BuildFault & Pick<Build, 'version'>;

  override readonly retryAfterSeconds: number;

  constructor({ version }: Pick<Build, 'version'>, fault: BuildFault, retryAfterSeconds: number) {
    const { what, fix, isOfWorker = false } = fault;
    const retry = `etry in ${retryAfterSeconds} s.`;
    const advice = fix === undefined ? `R${retry}` : `${fix}, or r${retry}`;
    super('UNAVAILABLE', `The ffmpeg ${version} of ${isOfWorker ? 'a worker' : 'the service'} ${what}. ${advice}`, {
      retryAfterSeconds,
    });
    this.fault = { version, ...fault };
    this.retryAfterSeconds = retryAfterSeconds;
  }
}
