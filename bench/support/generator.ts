import { findTool } from '../../packages/ffmpeg/src/sandbox/system-view.ts';
import type { Load, LoadResult } from './load.ts';
import { loadByAutocannon } from './load-by-autocannon.ts';
import { loadByWrk } from './load-by-wrk.ts';

const wrk = await findTool('wrk');

/**
 * Posts the same body repeatedly over 64 connections. Throws if a reply is an error. Uses wrk if it is installed: the
 * load generator runs on the measured machine, and wrk uses half as much processor time per request.
 */
export const load: (load: Load) => Promise<LoadResult> = wrk === undefined ? loadByAutocannon : loadByWrk(wrk);

/** The name of the load generator. */
export const GENERATOR =
  wrk === undefined ? 'autocannon (with wrk installed, the load takes less of the machine)' : 'wrk';
