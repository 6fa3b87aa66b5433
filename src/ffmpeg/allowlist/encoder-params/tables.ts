import { AOM_PARAMS } from './aom.ts';
import type { ParamTable } from './param-rule.ts';
import { SVTAV1_PARAMS } from './svtav1.ts';
import { X264_PARAMS } from './x264.ts';
import { X265_PARAMS } from './x265.ts';

/** An option with a parameter string for an encoder library. */
export interface ParamsOption {
  readonly table: ParamTable;
  /** Whether a name may have no "="; such a string (`x264opts`) has no quoting. */
  readonly allowsBareNames: boolean;
}

/** AVOptions with a list of `name=value` for a library, joined by ":". */
export const PARAMS_OPTIONS: ReadonlyMap<string, ParamsOption> = new Map([
  ['x264-params', { table: X264_PARAMS, allowsBareNames: false }],
  ['x264opts', { table: X264_PARAMS, allowsBareNames: true }],
  ['x265-params', { table: X265_PARAMS, allowsBareNames: false }],
  ['svtav1-params', { table: SVTAV1_PARAMS, allowsBareNames: false }],
  ['aom-params', { table: AOM_PARAMS, allowsBareNames: false }],
]);
