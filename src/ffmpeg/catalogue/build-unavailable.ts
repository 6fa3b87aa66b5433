import { Problem } from '../../domain/problem.ts';
import type { Build } from './build.ts';

/**
 * ffmpeg cannot be asked now. Requests that need no new facts of it still work. It has no cause, because the service logs the fault
 * once, and not with every request.
 */
export class BuildUnavailable extends Problem {
  constructor(
    { version }: Pick<Build, 'version'>,
    { what, fix }: { readonly what: string; readonly fix: string },
    retryAfterSeconds: number,
  ) {
    super('UNAVAILABLE', `The ffmpeg ${version} of the service ${what}. ${fix}, or retry in ${retryAfterSeconds} s.`, {
      retryAfterSeconds,
    });
  }
}
