import type { ClientLimits } from '@telecine/contract/domain/client-limits.ts';
import { JobFailed } from '@telecine/contract/domain/failure.ts';
import { sizeLimitText, sizeText } from '@telecine/contract/domain/quantity.ts';
import type { Chunk } from '../../ports/chunk-store.ts';
import { readEncoded } from './chunk-task.ts';

/** How large the outputs are at least, as a share of their chunks: chunks have more headers. */
const LEAST_SHARE = 0.9;

/**
 * Throws LIMIT_EXCEEDED if the encoded chunks of a job and the outputs that are joined from them exceed the limit "scratch" together, although
 * chunks are still missing. Without this check, a long job would fail only when it joins its chunks.
 */
export function checkChunkSpace(chunks: readonly Chunk[], { scratch }: Pick<ClientLimits, 'scratch'>): void {
  if (scratch === undefined) return;
  const kept = chunks.filter(({ state }) => state === 'DONE');
  // A sample has no file.
  const bytes = kept.reduce((sum, chunk) => sum + (readEncoded(chunk).bytes ?? 0), 0);
  if (bytes * (1 + LEAST_SHARE) <= scratch) return;
  throw new JobFailed({
    code: 'LIMIT_EXCEEDED',
    message: `${kept.length} of ${chunks.length} chunks have ${sizeText(bytes)}; together with the output, they need more than ${sizeLimitText(scratch)} (limit "scratch").`,
    fix: 'Send "chunks": "off", which needs the space once instead of twice; or lower the bit rate, or ask the operator for a higher limit.',
  });
}
