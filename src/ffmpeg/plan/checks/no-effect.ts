import { leaveOut, orElse, rename, sendOption } from '../../../domain/edit.ts';
import type { Hint } from '../../../domain/hint.ts';
import type { Warning } from '../../../domain/plan.ts';
import { encodersWithOption, equivalentOption, qualityOption } from '../../allowlist/encoder-options.ts';
import { type MeantSetting, meantSetting } from '../../allowlist/encoder-words.ts';
import { type Catalogue, componentOf, usesOf } from '../../catalogue/catalogue.ts';
import type { StreamEncoder } from '../encoders/stream-encoders.ts';
import type { ArgvOption } from '../request/argv-option.ts';
import { leaveToOther } from '../request/meant-options.ts';
import { encoderKinds } from './option-targets.ts';

/** A warning about a value. The caller adds the field. */
export interface ValueWarning {
  readonly warning: Omit<Warning, 'field'>;
}

/** What the warning about an option without effect depends on, besides the option. */
interface NoEffectContext {
  readonly muxer: string | undefined;
  readonly catalogue: Catalogue;
  /** All options of the output. */
  readonly options: readonly ArgvOption[];
}

/**
 * Returns the warning about an option that ffmpeg accepts but that no part of it uses. The warning says which encoders
 * have the option, and what to send instead. `streams` are the encoders of the streams to which the option could apply.
 */
export function noEffectWarning(
  { name, key }: ArgvOption,
  value: string,
  streams: readonly StreamEncoder[],
  { muxer, catalogue, options }: NoEffectContext,
): ValueWarning {
  const kinds = encoderKinds(usesOf(catalogue, name.name));
  if (kinds.length > 0 && streams.length === 0) return noEffect(key, `the output has no ${kinds.join(' or ')}.`);
  const encoders = [...new Set(streams.flatMap(({ encoder }) => encoder ?? []))];
  if (streams.length > 0 && encoders.length === 0)
    return noEffect(key, `the ${kinds.join(' and ')} is copied, not encoded.`);
  const targets = encoders.length > 0 ? encoders : [`the container ${muxer ?? ''}`.trimEnd()];
  const owners = encodersWithOption(name.name);
  const isSet = (option: string): boolean => options.some((one) => one.key === option);
  const ofMuxer = encoders.length === 0 && muxer !== undefined ? equivalentOption(name.name, muxer) : undefined;
  if (ofMuxer !== undefined)
    return noEffect(
      key,
      `the container ${muxer} does not have this option.${owners === undefined ? '' : ` It is for ${owners}.`}`,
      isSet(ofMuxer) ? leaveToOther(ofMuxer) : sendOption(ofMuxer, value),
    );
  const longer =
    encoders.length === 0 && muxer !== undefined ? longerOption(name.name, value, muxer, catalogue) : undefined;
  if (longer !== undefined)
    return noEffect(
      key,
      `the container ${muxer} does not have this option.`,
      isSet(longer.name) ? leaveToOther(longer.name) : longer.fix,
    );
  if (encoders.length === 0 && name.name.startsWith('segment_'))
    return noEffect(
      key,
      `${targets.join(' and ')} writes one file.`,
      'Send "format": "segment" beside "parameters", and a counter in "output", such as "part_%03d.mp4".',
    );
  if (encoders.length === 0 && name.name.startsWith('hls_'))
    return noEffect(
      key,
      `${targets.join(' and ')} writes one file. It is for HLS.`,
      orElse(leaveOut(), 'send an output that ends with ".m3u8" for HLS'),
    );
  const settings =
    value.length > 40
      ? []
      : encoders.map((encoder) => meantSetting(encoder, name.name, value, qualityOption(encoder)?.[0]));
  const equivalents = [...new Set(encoders.flatMap((encoder) => equivalentOption(name.name, encoder) ?? []))];
  return noEffect(
    key,
    `${targets.join(' and ')} ${targets.length === 1 ? 'does' : 'do'} not have this option.${owners === undefined ? '' : ` It is for ${owners}.`}`,
    settingFix(settings, isSet) ?? equivalents.map(rename).reduceRight((rest, one) => orElse(one, rest), leaveOut()),
  );
}

/** The only option of a muxer with words whose name goes on where this one ends: `hls_playlist_type` for `hls_playlist`. */
function longerOption(
  name: string,
  value: string,
  muxer: string,
  catalogue: Catalogue,
): { readonly name: string; readonly fix: Hint } | undefined {
  const options = componentOf(catalogue, 'muxer', muxer)?.options ?? [];
  const [option, ...others] = options.filter((one) => one.name.startsWith(`${name}_`) && one.constants.length > 0);
  if (option === undefined || others.length > 0) return undefined;
  const words = option.constants.map((one) => one.name);
  const fix = words.includes(value)
    ? sendOption(option.name, value)
    : `If "${option.name}" is meant, send it with one of its values: ${words.map((one) => JSON.stringify(one)).join(', ')}. Else leave it out.`;
  return { name: option.name, fix };
}

/** The fix with the setting that all encoders have for it, unless the request has that setting already. */
function settingFix(
  [first, ...others]: readonly (MeantSetting | undefined)[],
  isSet: (option: string) => boolean,
): Hint | undefined {
  if (first === undefined || others.some((one) => one?.option !== first.option || one.value !== first.value))
    return undefined;
  if (first.value === undefined) return leaveOut();
  return isSet(first.option) ? leaveToOther(first.option) : sendOption(first.option, first.value);
}

const noEffect = (key: string, reason: string, fix: Hint = leaveOut()): ValueWarning => ({
  warning: {
    code: 'NO_EFFECT',
    message: `"${key}" has no effect: ${reason}`,
    fix,
  },
});
