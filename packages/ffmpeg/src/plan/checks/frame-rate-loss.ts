import { type Catalogue, componentOf } from '../../catalogue/catalogue.ts';
import type { ArgvOption } from '../request/argv-option.ts';

/** The first release whose `setpts` removes the frame rate. Later ones, from 8.1 on, keep it unless `strip_fps` is set. */
const FIRST_RELEASE = 7;

const SETPTS = /(?<![a-z])setpts\b/;

/**
 * True if a filtergraph has `setpts`, and the frame rate is unknown after this filter of the build. Encoders then take the time base for it,
 * and ffmpeg writes a constant rate of 25. Tested with 5.1 and 7.1.
 */
export function losesFrameRate(options: readonly ArgvOption[], catalogue: Catalogue): boolean {
  const [major = 0] = catalogue.build.release ?? [];
  if (major < FIRST_RELEASE) return false;
  const isUsed = options.some(
    ({ name: { name }, values }) => /^filter(?:_complex)?$/.test(name) && values.some((value) => SETPTS.test(value)),
  );
  if (!isUsed) return false;
  const setpts = componentOf(catalogue, 'filter', 'setpts');
  return setpts !== undefined && !setpts.options.some(({ name }) => name === 'strip_fps');
}
