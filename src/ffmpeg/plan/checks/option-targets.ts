import { type AvUse, type Catalogue, type CodecKind, componentOf, usesOf } from '../../catalogue/catalogue.ts';
import type { AvOption, Component } from '../../catalogue/component.ts';
import {
  encoderComponent,
  STREAM_KINDS,
  type StreamEncoder,
  type StreamEncoders,
} from '../encoders/stream-encoders.ts';
import type { OptionName } from '../request/option-name.ts';

/** A part of ffmpeg that gets an AVOption of a request. */
export interface OptionTarget {
  readonly option: AvOption;
  /** The encoder that gets the option. Absent if the muxer, the scaler or the resampler gets it. */
  readonly encoder?: string;
  /** Whether `option` is the generic codec option, because the encoder has no option of this name itself. */
  readonly generic?: true;
}

export interface OptionTargets {
  readonly targets: readonly OptionTarget[];
  /** Whether a component that is not in the catalogue yet may accept the option. */
  readonly incomplete: boolean;
  /** The encoders of the streams to which the option applies. */
  readonly streams: readonly StreamEncoder[];
}

/** Returns the kinds of encoders that accept an option. The result is empty if no encoder accepts it. */
export function encoderKinds(uses: readonly AvUse[]): readonly CodecKind[] {
  const letters = uses.map(({ encoding, media }) => (encoding ? media : '')).join('');
  return STREAM_KINDS.filter((kind) => letters.includes(kind.charAt(0).toUpperCase()));
}

/**
 * Finds the parts of ffmpeg that get an AVOption of an output, by ffmpeg's own rules:
 *
 * - Each encoder gets it. The encoder's own option takes precedence over the generic codec option.
 * - The muxer gets it. The generic format option takes precedence over the muxer's own option.
 * - The scaler or the resampler gets it only if no codec or container has such an option.
 */
export function findOptionTargets(
  { name, specifier }: OptionName,
  encoders: StreamEncoders,
  muxer: string | undefined,
  catalogue: Catalogue,
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

/** Returns the option of the scaler or the resampler, unless a codec or container has an option of this name. */
function findLibraryTarget(name: string, uses: readonly AvUse[], catalogue: Catalogue): readonly OptionTarget[] {
  const option = catalogue.generic.scaler.get(name) ?? catalogue.generic.resampler.get(name);
  const isElsewhere = uses.some(({ owner }) => owner === 'codec' || owner === 'format' || owner === 'private');
  return option === undefined || isElsewhere ? [] : [{ option }];
}
