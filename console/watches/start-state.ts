import type { WatchDryRun } from '@telecine/client';
import { countText } from '../ui/format.ts';
import type { CheckedWatch } from './use-watch-check.ts';

/** The request that makes the watch. */
interface Start {
  readonly isPending: boolean;
  readonly error: Error | null;
}

/**
 * Says why the watch is not started yet: a field is missing, the check runs, the check found what the service would reject, or the service has
 * rejected it. `missing`: what the user has to choose first.
 */
export function startStateText(
  missing: string | undefined,
  { run, error, isOld }: Pick<CheckedWatch, 'run' | 'error' | 'isOld'>,
  start: Start,
): string {
  if (missing !== undefined) return missing;
  if (start.isPending) return 'Starting…';
  if (start.error !== null) return 'The watch was not made. See the error.';
  if (isOld) return 'Checking…';
  if (error !== null) return 'The watch cannot be made. See what it would do now.';
  return run === undefined ? '' : readyText(run);
}

function readyText({ files, examined, rejected }: WatchDryRun): string {
  if (files === 0) return 'Ready. It waits for files.';
  const count = `${countText(files, 'file')} now`;
  if (rejected === 0) return `Ready. ${count}.`;
  return rejected < examined
    ? `Ready. ${count}, of which some would be rejected.`
    : `${count}. All that were examined would be rejected.`;
}
