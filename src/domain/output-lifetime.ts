import type { ClientLimits } from './client-limits.ts';
import type { ConversionRequest } from './conversion.ts';

/**
 * How long the outputs of a job are kept after its end, in seconds: the shorter of what the request and the limits of the
 * client say. Undefined if neither says anything: they are kept.
 */
export function outputLifetime(
  { expiresAfterSeconds }: Pick<ConversionRequest, 'expiresAfterSeconds'>,
  { retention }: Pick<ClientLimits, 'retention'>,
): number | undefined {
  if (expiresAfterSeconds === undefined || retention === undefined) return expiresAfterSeconds ?? retention;
  return Math.min(expiresAfterSeconds, retention);
}

/** The bounds of a lifetime of outputs, in seconds: a minute and ten years. */
export const OUTPUT_LIFETIME = { min: 60, max: 315_360_000 } as const;
