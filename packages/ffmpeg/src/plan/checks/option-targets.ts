import type { Warning } from '@telecine/contract/domain/plan.ts';
import type { FieldError } from '@telecine/contract/domain/problem.ts';
import { type AvUse, type Catalogue, type CodecKind, STREAM_KINDS, usesOf } from '../../catalogue/catalogue.ts';
import type { AvOption, Component } from '../../catalogue/component.ts';
import { componentOf } from '../../catalogue/components.ts';
import { encoderComponent, type StreamEncoder, type StreamEncoders } from '../encoders/stream-encoders.ts';
import type { ArgvOption } from '../request/argv-option.ts';
import type { OptionName } from '../request/option-name.ts';

/** What an AVOption of a request applies to: an encoder, the muxer, the scaler or the resampler. */
export interface OptionTarget {
  readonly option: AvOption;
  /** Absent if the option applies to the muxer, the scaler or the resampler. */
  readonly encoder?: string;
  /** Present if `option` is an option that all codecs share, because the encoder has no own option of this name. */
  readonly generic?: true;
}

interface OptionTargets {
  readonly targets: readonly OptionTarget[];
  /** True if another component, which the catalogue does not describe yet, may have the option. */
  readonly incomplete: boolean;
  /** The encoders of the streams that the option applies to. */
  readonly streams: readonly StreamEncoder[];
}

/** The kinds of encoders that have an option. Empty: no encoder has it. */
function encoderKinds(uses: readonly AvUse[]): readonly CodecKind[] {
  const letters = uses.map(({ encoding, media }) => (encoding ? media : '')).join('');
  return STREAM_KINDS.filter((kind) => letters.includes(kind.charAt(0).toUpperCase()));
}

/**
 * Finds what an AVOption of an output applies to, by ffmpeg's rules:
 *
 * - An encoder uses its own option, or else the option of all codecs.
 * - The muxer uses the option of all formats, or else its own.
 * - The scaler or the resampler uses the option only if no codec or container has it.
 */
export function findOptionTargets(
  { name, specifier }: OptionName,
  { encoders, muxer, catalogue }: OutputContext,
): OptionTargets {
  const uses = usesOf(catalogue, name);
  const kinds = encoderKinds(uses);
  const streams = encoders.of(specifier).filter(({ kind }) => kinds.includes(kind));
  const encoderTargets = findEncoderTargets(name, streams, catalogue);
  const isContainerOption =
    specifier === undefined &&
    uses.some(({ owner, media }) => owner === 'format' || (owner === 'private' && media === ''));
  const muxerTarget = isContainerOption ? findMuxerTarget(name, muxer, catalogue) : NO_TARGETS;
  return {
    targets: [...encoderTargets.targets, ...muxerTarget.targets, ...findLibraryTarget(name, uses, catalogue)],
    incomplete: encoderTargets.incomplete || muxerTarget.incomplete,
    streams,
  };
}

type Found = Pick<OptionTargets, 'targets' | 'incomplete'>;

const NO_TARGETS: Found = { targets: [], incomplete: false };

function findEncoderTargets(name: string, streams: readonly StreamEncoder[], catalogue: Catalogue): Found {
  const targets: OptionTarget[] = [];
  let incomplete = false;
  const generic = catalogue.generic.codec.get(name);
  for (const stream of streams) {
    const { encoder } = stream;
    if (encoder === undefined) continue;
    const component = encoderComponent(stream, catalogue);
    if (component === undefined) {
      incomplete = true;
      continue;
    }
    const letter = stream.kind.charAt(0).toUpperCase();
    const isFor = (option: AvOption): boolean => option.encoding && option.media.includes(letter);
    const own = component.options.find((option) => option.name === name && isFor(option));
    if (own !== undefined) targets.push({ option: own, encoder });
    else if (generic !== undefined && isFor(generic)) targets.push({ option: generic, encoder, generic: true });
  }
  return { targets, incomplete };
}

function findMuxerTarget(name: string, muxer: string | undefined, catalogue: Catalogue): Found {
  const component = muxer === undefined ? undefined : componentOf(catalogue, 'muxer', muxer);
  const generic = catalogue.generic.format.get(name);
  const option = generic?.encoding === true ? generic : muxerOption(component, name);
  return { targets: option === undefined ? [] : [{ option }], incomplete: component === undefined };
}

const muxerOption = (component: Component | undefined, name: string): AvOption | undefined =>
  component?.options.find((option) => option.name === name && option.encoding);

/** The option of the scaler or the resampler, unless a codec or container has an option of this name. */
function findLibraryTarget(name: string, uses: readonly AvUse[], catalogue: Catalogue): readonly OptionTarget[] {
  const option = catalogue.generic.scaler.get(name) ?? catalogue.generic.resampler.get(name);
  const isElsewhere = uses.some(({ owner }) => owner === 'codec' || owner === 'format' || owner === 'private');
  return option === undefined || isElsewhere ? [] : [{ option }];
}

/** A warning about a value, without its field, which the caller adds. */
export interface ValueWarning {
  readonly warning: Omit<Warning, 'field'>;
}

/** The options of an output, with its encoders and its muxer. Checks append their errors to `errors`. */
export interface OutputContext {
  readonly options: readonly ArgvOption[];
  readonly encoders: StreamEncoders;
  readonly muxer: string | undefined;
  readonly catalogue: Catalogue;
  readonly errors: FieldError[];
}

/**
 * The warning about an option that nothing in ffmpeg uses. `streams`: the encoders of the streams that the option could apply to.
 */
export function noEffectWarning(
  { name, key }: ArgvOption,
  streams: readonly StreamEncoder[],
  { muxer = '', catalogue }: OutputContext,
): ValueWarning {
  const kinds = encoderKinds(usesOf(catalogue, name.name));
  if (kinds.length > 0 && streams.length === 0) return noEffect(key, `the output has no ${kinds.join(' or ')}.`);
  const encoders = streams.flatMap(({ encoder }) => encoder ?? []);
  if (streams.length > 0 && encoders.length === 0)
    return noEffect(key, `the ${kinds.join(' and ')} is copied, not encoded.`);
  const [targets, verb] =
    encoders.length > 0
      ? [encoders.join(' and '), encoders.length === 1 ? 'does' : 'do']
      : [`the container ${muxer}`.trimEnd(), 'does'];
  return noEffect(key, `${targets} ${verb} not have this option.`);
}

const noEffect = (key: string, reason: string): ValueWarning => ({
  warning: { code: 'NO_EFFECT', message: `"${key}" has no effect: ${reason}` },
});
