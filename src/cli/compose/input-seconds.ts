import { isUrl } from '../../domain/url-input.ts';
import type { ProbeOperations } from '../../jobs/operations.ts';
import type { InputSeconds } from '../../jobs/submit/share-times.ts';

/** A client waits for the error meanwhile. */
const PROBE_MS = 3000;

/** Returns the function that probes how long an input is, for the fix of an error. It fetches no URL, which may take long. */
export const inputSeconds =
  ({ probe }: Pick<ProbeOperations, 'probe'>): InputSeconds =>
  async (caller, path) => {
    if (isUrl(path)) return undefined;
    // The error says what is wrong without it too.
    const found = await probe(caller, { input: path }, AbortSignal.timeout(PROBE_MS)).catch(() => undefined);
    return found?.format.durationSeconds;
  };
