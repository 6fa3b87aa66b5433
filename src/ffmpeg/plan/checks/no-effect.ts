import type { Warning } from '../../../domain/plan.ts';
import { encodersWithOption, equivalentOption } from '../../allowlist/encoder-options.ts';
import { type Catalogue, usesOf } from '../../catalogue/catalogue.ts';
import type { StreamEncoder } from '../encoders/stream-encoders.ts';
import type { ArgvOption } from '../request/argv-option.ts';
import { encoderKinds } from './option-targets.ts';

/** A warning about a value. The caller adds the field. */
export interface ValueWarning {
  readonly warning: Omit<Warning, 'field'>;
}

/**
 * Returns the warning about an option that ffmpeg accepts but that no part of it uses. The warning says which encoders
 * have the option, and what to send instead. `streams` are the encoders of the streams to which the option could apply.
 */
export function noEffectWarning(
  { name, key }: ArgvOption,
  streams: readonly StreamEncoder[],
  muxer: string | undefined,
  catalogue: Catalogue,
): ValueWarning {
  const kinds = encoderKinds(usesOf(catalogue, name.name));
  if (kinds.length > 0 && streams.length === 0) return noEffect(key, `the output has no ${kinds.join(' or ')}.`);
  const encoders = [...new Set(streams.flatMap(({ encoder }) => encoder ?? []))];
  if (streams.length > 0 && encoders.length === 0)
    return noEffect(key, `the ${kinds.join(' and ')} is copied, not encoded.`);
  const targets = encoders.length > 0 ? encoders : [`the container ${muxer ?? ''}`.trimEnd()];
  const owners = encodersWithOption(name.name);
  if (encoders.length === 0 && name.name.startsWith('segment_'))
    return noEffect(
      key,
      `${targets.join(' and ')} writes one file.`,
      'Send "format": "segment" beside "parameters", and a counter in "output", such as "part_%03d.mp4".',
    );
  const equivalents = [...new Set(encoders.flatMap((encoder) => equivalentOption(name.name, encoder) ?? []))];
  return noEffect(
    key,
    `${targets.join(' and ')} ${targets.length === 1 ? 'does' : 'do'} not have this option.${owners === undefined ? '' : ` It is for ${owners}.`}`,
    equivalents.map((option) => `Send "${option}" instead.`).join(' '),
  );
}

const noEffect = (key: string, reason: string, fix = ''): ValueWarning => ({
  warning: {
    code: 'NO_EFFECT',
    message: `"${key}" has no effect: ${reason}`,
    ...(fix === '' ? {} : { fix }),
  },
});
