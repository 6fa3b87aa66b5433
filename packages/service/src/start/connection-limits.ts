import { readFileSync } from 'node:fs';
import { parseHardLimits } from '@telecine/ffmpeg/sandbox/limits.ts';
import type { ConnectionSettings } from '../config/connection-limits.ts';
import { type ConnectionLimits, DEFAULT_CONNECTION_LIMITS } from '../http/connections/connection-table.ts';

/** A download or upload takes a file and a connection. Stores and conversions need files too. */
const FILES_PER_CONNECTION = 2;

const MIN_CONNECTIONS = 64;

/** Derives the limits that the operator has not set from `openFiles`, the number of files that this process may open. */
export function connectionLimits(
  { withoutTokenPerAddress, bytesInFlight, ...chosen }: ConnectionSettings,
  openFiles: () => number = openFileLimit,
): ConnectionLimits {
  const derived = (): number =>
    Math.min(DEFAULT_CONNECTION_LIMITS.all, Math.max(MIN_CONNECTIONS, Math.floor(openFiles() / FILES_PER_CONNECTION)));
  const all = chosen.all ?? derived();
  const withoutToken = chosen.withoutToken ?? Math.ceil(all / 4);
  return {
    ...DEFAULT_CONNECTION_LIMITS,
    all,
    withoutToken,
    // One address must not use all of them.
    withoutTokenPerAddress: Math.min(withoutTokenPerAddress, Math.ceil(withoutToken / 2)),
    bytesInFlight,
  };
}

/** Node raises its limit to the hard limit at its start. Systems other than Linux are for development. */
function openFileLimit(): number {
  try {
    return parseHardLimits(readFileSync('/proc/self/limits', 'utf8')).nofile ?? Number.POSITIVE_INFINITY;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
