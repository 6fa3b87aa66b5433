import { isUrl } from '../../domain/url-input.ts';
import type { ProbeOperations } from '../../jobs/probe.ts';
import type { InputTimes } from '../../jobs/submit/input-probes.ts';

/** A client waits for the error meanwhile. */
const PROBE_MS = 3000;

/**
 * Returns a function that probes the duration and the frame rate of an input, for the fix of an error. It does not fetch URLs, because
 * that may take long.
 */
export const inputTimes =
  ({ probe }: Pick<ProbeOperations, 'probe'>): InputTimes =>
  async (caller, path) => {
    if (isUrl(path)) return undefined;
    // The error says what is wrong without it too.
    const found = await probe(caller, { input: path }, AbortSignal.timeout(PROBE_MS)).catch(() => undefined);
    if (found === undefined) return undefined;
    const rate = found.streams.find(({ type }) => type === 'video')?.frameRate;
    const { durationSeconds: seconds } = found.format;
    return {
      ...(seconds !== undefined && { seconds }),
      // The mean of a rate that varies is not the rate of a timecode.
      ...(rate !== undefined && isOfTimecodes(rate) && { frameRate: rate }),
    };
  };

/** Whether a rate is a whole number or that number by 1.001, such as 25 and 30000/1001. */
const isOfTimecodes = (rate: number): boolean =>
  [rate, rate * 1.001].some((one) => Math.abs(one - Math.round(one)) < 0.001);
