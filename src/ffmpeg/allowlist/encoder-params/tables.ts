import { AOM_PARAMS } from './aom.ts';
import type { ParamTable } from './param-rule.ts';
import { SVTAV1_PARAMS } from './svtav1.ts';
import { X264_PARAMS } from './x264.ts';
import { X265_PARAMS } from './x265.ts';

/** A parameter string of an encoder library: its keys, and how its text is split. */
export interface ParamsOption {
  readonly table: ParamTable;
  /** `x264opts` takes a key without "="; it has no quoting. */
  readonly bareKeys: boolean;
}

/** AVOptions that hold a list of `key=value` for a library, joined by ":". */
export const PARAMS_OPTIONS: ReadonlyMap<string, ParamsOption> = new Map([
  ['x264-params', { table: X264_PARAMS, bareKeys: false }],
  ['x264opts', { table: X264_PARAMS, bareKeys: true }],
  ['x265-params', { table: X265_PARAMS, bareKeys: false }],
  ['svtav1-params', { table: SVTAV1_PARAMS, bareKeys: false }],
  ['aom-params', { table: AOM_PARAMS, bareKeys: false }],
]);
