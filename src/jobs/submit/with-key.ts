import { randomBytes } from 'node:crypto';
import type { ConversionRequest } from '../../domain/conversion.ts';

const random16 = (): string => randomBytes(16).toString('hex');

/**
 * Returns the request with the key and the initialization vector with which it encrypts, if it does. The job stores them, so
 * that each attempt and a retry use the same. Without a vector, ffmpeg would use 0 for all segments of all jobs.
 */
export function withKey(request: ConversionRequest): ConversionRequest {
  const { encrypt } = request;
  if (encrypt === undefined) return request;
  const { keyUri, key = random16(), iv = random16() } = encrypt;
  return { ...request, encrypt: { keyUri, key: key.toLowerCase(), iv: iv.toLowerCase() } };
}
