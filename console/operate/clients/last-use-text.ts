import { LAST_USE_MS } from '../../../packages/contract/src/domain/last-use.ts';
import { formatAgo } from '../../ui/format.ts';

/** When a client was last used: `in the last hour`, `5 h ago`. */
export const lastUseText = (at: string, now: number): string =>
  now - Date.parse(at) < LAST_USE_MS ? 'in the last hour' : formatAgo(at, now);
