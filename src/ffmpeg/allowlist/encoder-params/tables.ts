import { AOM_KEYS } from './aom.ts';
import type { KeyTable } from './param-rule.ts';
import { SVTAV1_KEYS } from './svtav1.ts';
import { X264_KEYS } from './x264.ts';
import { X265_KEYS } from './x265.ts';

/** A parameter string of an encoder library: its keys, and how its text is split. */
export interface KeyedOption {
  readonly table: KeyTable;
  /** `x264opts` takes a key without "="; it has no quoting. */
  readonly bareKeys: boolean;
}

/** AVOptions that hold a list of `key=value` for a library, joined by ":". */
export const KEYED_OPTIONS: ReadonlyMap<string, KeyedOption> = new Map([
  ['x264-params', { table: X264_KEYS, bareKeys: false }],
  ['x264opts', { table: X264_KEYS, bareKeys: true }],
  ['x265-params', { table: X265_KEYS, bareKeys: false }],
  ['svtav1-params', { table: SVTAV1_KEYS, bareKeys: false }],
  ['aom-params', { table: AOM_KEYS, bareKeys: false }],
]);
