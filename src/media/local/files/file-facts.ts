import type { BigIntStats } from 'node:fs';
import type { MediaPath } from '../../../domain/media-path.ts';
import type { FileFacts } from '../../../files/ports.ts';
import { fingerprintOf } from '../paths/file-id.ts';

export const factsOf = (path: MediaPath, stats: BigIntStats): FileFacts => ({
  path,
  sizeBytes: Number(stats.size),
  modifiedAt: stats.mtime,
  fingerprint: fingerprintOf(stats),
});
