import type { FrameRateMode } from '@telecine/contract/domain/chunks.ts';
import type { ArgvOption } from './argv-option.ts';

/** A frame rate mode that a client can set. `auto`: ffmpeg chooses for the container. `drop`: the container makes new times. */
export type SentRateMode = FrameRateMode | 'auto' | 'drop';

const OPTIONS: ReadonlySet<string> = new Set(['fps_mode', 'vsync']);

/** The modes by the values of both options. Only `vsync` has numbers. */
const MODES: ReadonlyMap<string, SentRateMode> = new Map([
  ['auto', 'auto'],
  ['-1', 'auto'],
  ['passthrough', 'passthrough'],
  ['0', 'passthrough'],
  ['cfr', 'cfr'],
  ['1', 'cfr'],
  ['vfr', 'vfr'],
  ['2', 'vfr'],
  ['drop', 'drop'],
]);

/** True for an option of the frame rate mode. */
export const isRateMode = ({ name: { name } }: Pick<ArgvOption, 'name'>): boolean => OPTIONS.has(name);

/** The mode that a value of `fps_mode` or `vsync` means. undefined: neither has this value. */
export const rateModeOf = (value: string): SentRateMode | undefined => MODES.get(value);

/** True for a mode that keeps the distances between frames. */
export const isVariableRate = (mode: SentRateMode | undefined): mode is 'vfr' | 'passthrough' =>
  mode === 'vfr' || mode === 'passthrough';
