import { AOM_PARAMS, SVTAV1_PARAMS } from './av1.ts';
import type { ParamTable } from './param-table.ts';
import { X264_PARAMS } from './x264.ts';
import { X265_PARAMS } from './x265.ts';

/** An AVOption whose value is a parameter string for an encoder library. */
export interface ParamsOption {
  readonly table: ParamTable;
  /** True if a name may come without "=" and a value. Such a library splits the text at ":" and "=", whatever the quotes. */
  readonly allowsBareNames: boolean;
}

/** The AVOptions whose value is a list of `name=value` pairs for an encoder library, separated by ":". */
export const PARAMS_OPTIONS: ReadonlyMap<string, ParamsOption> = new Map([
  ['x264-params', { table: X264_PARAMS, allowsBareNames: false }],
  ['x264opts', { table: X264_PARAMS, allowsBareNames: true }],
  ['x265-params', { table: X265_PARAMS, allowsBareNames: false }],
  ['svtav1-params', { table: SVTAV1_PARAMS, allowsBareNames: false }],
  ['aom-params', { table: AOM_PARAMS, allowsBareNames: false }],
]);
