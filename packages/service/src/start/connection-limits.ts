import { readFileSync } from 'node:fs';
import { parseHardLimits } from '@telecine/ffmpeg/sandbox/limits.ts';
import type { ServiceLimits } from '../config/service-limits.ts';
import { type ConnectionLimits, DEFAULT_CONNECTION_LIMITS } from '../http/connections/connection-table.ts';

/** A download or upload opens a socket and a file. Databases and conversions need open files too. */
const FILES_PER_CONNECTION = 2;

const MIN_CONNECTIONS = 64;

/** Computes the limits that the operator has not set. `openFiles`: how many files this process may have open. */
export function connectionLimits(limits: ServiceLimits, openFiles: () => number = openFileLimit): ConnectionLimits {
  const derived = (): number =>
    Math.min(DEFAULT_CONNECTION_LIMITS.all, Math.max(MIN_CONNECTIONS, Math.floor(openFiles() / FILES_PER_CONNECTION)));
  const all = limits.connections ?? derived();
  const withoutToken = limits['connections-without-token'] ?? Math.ceil(all / 4);
  return {
    ...DEFAULT_CONNECTION_LIMITS,
    all,
    withoutToken,
    // A single address must not be able to use all connections without a token.
    withoutTokenPerAddress: Math.min(limits['connections-without-token-per-address'], Math.ceil(withoutToken / 2)),
    bytesInFlight: limits['bytes-in-flight'],
  };
}

/**
 * The hard limit of open files. At its start, Node raises its soft limit to the hard limit. Systems without /proc are for development only
 * and count as unlimited.
 */
function openFileLimit(): number {
  try {
    return parseHardLimits(readFileSync('/proc/self/limits', 'utf8')).nofile ?? Number.POSITIVE_INFINITY;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
