import type { GraphFilter } from './graph.ts';

const KEEPS_TIMES =
  /^(?:scale|zscale|crop|pad|format|setsar|setdar|[hv]flip|transpose|rotate|fade|drawtext|drawbox|subtitles|ass|eq|hue|curves|lut3d|colorbalance|colorchannelmixer|gblur|boxblur|unsharp|yadif|bwdif|hqdn3d|nlmeans|null|anull|afade|volume|loudnorm|dynaudnorm|acompressor|alimiter|highpass|lowpass|equalizer|bass|treble|afftdn|aformat|pan|fps|split|asplit)$/;

/** Options with which `aresample` fills, drops or stretches sound. */
const CHANGES_TIMES = /^(?:async|comp_duration|first_pts|max_soft_comp|min_comp|min_hard_comp)$/;

/** Whether a filter has one input, and every frame has the time after it that it had before. */
export const keepsFrameTimes = ({ name, options }: GraphFilter): boolean =>
  name === 'aresample' ? !options.some(({ key = '' }) => CHANGES_TIMES.test(key)) : KEEPS_TIMES.test(name);
