import { execFileSync } from 'node:child_process';
import type { Load, LoadResult } from './load.ts';
import { loadByAutocannon } from './load-by-autocannon.ts';
import { loadByWrk } from './load-by-wrk.ts';

/**
 * Posts the same body again and again over 64 connections. Throws where one answer is an error.
 * By wrk where it is installed: the load comes from the machine that is measured, and wrk takes half as much of it for
 * a request.
 */
export const load: (load: Load) => Promise<LoadResult> = isThere('wrk') ? loadByWrk : loadByAutocannon;

/** The program that makes the load. */
export const GENERATOR =
  load === loadByWrk ? 'wrk' : 'autocannon (with wrk installed, the load takes less of the machine)';

function isThere(program: string): boolean {
  try {
    execFileSync('which', [program]);
    return true;
  } catch {
    return false;
  }
}
