import { findTool } from '../../src/ffmpeg/sandbox/system-view.ts';
import type { Load, LoadResult } from './load.ts';
import { loadByAutocannon } from './load-by-autocannon.ts';
import { loadByWrk } from './load-by-wrk.ts';

const wrk = await findTool('wrk');

/**
 * Posts the same body again and again over 64 connections. Throws where one answer is an error.
 * By wrk where it is installed: the load comes from the machine that is measured, and wrk takes half as much of it for
 * a request.
 */
export const load: (load: Load) => Promise<LoadResult> = wrk === undefined ? loadByAutocannon : loadByWrk(wrk);

/** The program that makes the load. */
export const GENERATOR =
  wrk === undefined ? 'autocannon (with wrk installed, the load takes less of the machine)' : 'wrk';
