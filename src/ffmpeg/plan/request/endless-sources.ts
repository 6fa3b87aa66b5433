import type { GraphFilter } from '../../filtergraph/graph.ts';
import { readBoolean } from '../../values/boolean.ts';
import { type ArgvOption, isBooleanOn } from './argv-option.ts';
import type { MadeMedia } from './sources.ts';

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/** Filters without an input that produce frames for ever, unless an option limits them. */
export const VIDEO_SOURCES = words(
  'allrgb allyuv color colorchart colorspectrum gradients haldclutsrc nullsrc pal75bars pal100bars rgbtestsrc ' +
    'smptebars smptehdbars testsrc testsrc2 yuvtestsrc zoneplate mandelbrot life cellauto mptestsrc sierpinski perlin',
);
export const AUDIO_SOURCES = words('anullsrc sine anoisesrc aevalsrc');
export const SOURCE_LIMITS = words('d duration nb_samples');

/** Whether a filter produces frames for ever. */
export const isUnlimited = ({ name, options }: GraphFilter): boolean =>
  (VIDEO_SOURCES.has(name) || AUDIO_SOURCES.has(name)) &&
  // The `nb_samples` of these are those of one frame.
  !options.some(({ key = '' }) => SOURCE_LIMITS.has(key) && !(key === 'nb_samples' && FRAME_SAMPLES.test(name)));

const FRAME_SAMPLES = /^(?:anullsrc|anoisesrc|aevalsrc)$/;

/** Options that end the output, or one of its streams. `shortest` does so only if one of the streams ends. */
export const ENDING_OPTIONS = words('t to fs frames');

/** Whether an input goes on for ever: a source, a picture or a film that is repeated. */
export function isEndlessInput(input: Parameters<typeof isEndlessSource>[0]): boolean {
  const { options } = input;
  if (input.made !== undefined) return isEndlessSource(input);
  if (options.some(({ key }) => key === 't' || key === 'to')) return false;
  return (
    isBooleanOn('loop', options) ||
    options.some(({ key, values: [value = ''] }) => key === 'stream_loop' && Number(value) < 0) ||
    options.some(({ key, values: [value = ''] }) => key === 'ignore_loop' && readBoolean(value) === 0)
  );
}

/** Whether an input is a source that nothing ends. */
export const isEndlessSource = ({
  made,
  duration,
  options,
}: {
  readonly made?: MadeMedia;
  readonly duration?: string;
  readonly options: readonly ArgvOption[];
}): boolean => {
  if (made === undefined || duration !== undefined) return false;
  if (options.some(({ key }) => key === 't' || key === 'to')) return false;
  const filters = made.graph.chains.flat();
  return filters.some(isUnlimited) && !filters.some(({ name }) => name === 'trim' || name === 'atrim');
};
