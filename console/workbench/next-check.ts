import type { DryRun } from '@telecine/client';

/** How often a request is checked, at most, while its sources are not read. The service reads for up to ten minutes. */
const MAX_CHECKS = 60;

interface Checks {
  readonly data?: { readonly plan: Pick<DryRun, 'warnings'> } | undefined;
  readonly error: unknown;
  readonly dataUpdateCount: number;
  readonly errorUpdateCount: number;
}

/**
 * The milliseconds after which a request is checked again without a click, because the service goes on reading its sources. false: it
 * is not, also after a failure of a check.
 */
export function nextCheck({ data, error, dataUpdateCount, errorUpdateCount }: Checks): number | false {
  if (error !== null || dataUpdateCount + errorUpdateCount >= MAX_CHECKS) return false;
  const seconds = data?.plan.warnings.flatMap(({ code, retryAfterSeconds }) =>
    code === 'INPUT_NOT_READ' && retryAfterSeconds !== undefined ? [retryAfterSeconds] : [],
  );
  return seconds !== undefined && seconds.length > 0 && Math.max(...seconds) * 1000;
}
