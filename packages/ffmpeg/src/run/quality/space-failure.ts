import type { Failure } from '@telecine/contract/domain/failure.ts';
import type { PreparedRun } from '../conversion-run.ts';
import type { Failed } from '../run-pass.ts';
import type { RunState } from '../run-state.ts';
import { CONVERSION_CANCELLED } from '../stop.ts';

/** The failures with which the service stops a run because of the disk space that it uses. */
const OF_SPACE: ReadonlySet<unknown> = new Set<Failure['code']>(['NO_SPACE', 'LIMIT_EXCEEDED']);

/** Returns the failure with which the watch of disk space stopped the run. undefined: the run was cancelled, or was not stopped. */
export function spaceFailure({ aborted, reason }: AbortSignal): Failure | undefined {
  if (!aborted || typeof reason !== 'object' || reason === null) return undefined;
  return 'code' in reason && OF_SPACE.has(reason.code) ? (reason as Failure) : undefined;
}

/** The end of a run that was cancelled after its output was complete. undefined: it was not. */
export const cancelledBefore = (
  { signal }: Pick<PreparedRun, 'signal'>,
  { stopper }: Pick<RunState, 'stopper'>,
): Failed | undefined =>
  signal.aborted && spaceFailure(signal) === undefined
    ? { ok: false, failure: stopper.cause ?? CONVERSION_CANCELLED, raw: '' }
    : undefined;
