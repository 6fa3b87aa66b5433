import type { ConversionRequest } from '@telecine/client';
import { HIDDEN } from '../../packages/contract/src/domain/secret-options.ts';

/** Whether a part of a request is not whole: the page gets no keys, passwords and queries of URLs. Only a retry has them again. */
export const hasHiddenParts = (part: unknown): boolean => JSON.stringify(part)?.includes(HIDDEN) === true;

/** A request that is not a retry, without a callback that is not whole. */
export function withoutHiddenCallback<T extends Pick<ConversionRequest, 'callbackUrl'>>(request: T): T {
  const { callbackUrl, ...others } = request;
  return hasHiddenParts(callbackUrl) ? (others as T) : request;
}
