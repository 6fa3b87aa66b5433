import { type AvUse, type Catalogue, type CodecKind, componentOf, usesOf } from '../../catalogue/catalogue.ts';
import type { AvOption, Component } from '../../catalogue/component.ts';
import {
  encoderComponent,
  STREAM_KINDS,
  type StreamEncoder,
  type StreamEncoders,
} from '../encoders/stream-encoders.ts';
import type { OptionName } from '../request/option-name.ts';

/** A part of ffmpeg that will be given an AVOption of a request. */
export interface OptionTarget {
  readonly option: AvOption;
  /** The encoder; undefined: the container, the scaler or the resampler. */
  readonly encoder?: string;
  /** An encoder that has no such option of its own, so that the one of all codecs is meant. */
  readonly generic?: true;
}

export interface OptionTargets {
  readonly targets: readonly OptionTarget[];
  /** Someone may take it who was not asked about. */
  readonly unsure: boolean;
  /** Who makes the streams of the kinds that the option is for. */
  readonly encoders: readonly StreamEncoder[];
}

/** The kinds of streams that some encoder takes an option for; none: it is a container's. */
export function encoderKinds(uses: readonly AvUse[]): readonly CodecKind[] {
  const letters = uses.map(({ encoding, media }) => (encoding ? media : '')).join('');
  return STREAM_KINDS.filter((kind) => letters.includes(kind.charAt(0).toUpperCase()));
}

/**
 * Who is given an output's AVOption, as ffmpeg hands them out: of codecs, each stream's encoder, whose own option hides
 * the one of all codecs; and the container, where the one of all containers hides its own. Only what neither knows goes
 * to the scaler or the resampler.
 */
export function findOptionTargets(
  { name, specifier }: OptionName,
  makers: StreamEncoders,
  muxer: string | undefined,
  catalogue: Catalogue,
): OptionTargets {
  const targets: OptionTarget[] = [];
  let unsure = false;
  const uses = usesOf(catalogue, name);
  const kinds = encoderKinds(uses);
  const streams = makers.of(specifier).filter(({ kind }) => kinds.includes(kind));
  for (const maker of streams) {
    if (maker.encoder === undefined) continue;
    const component = encoderComponent(maker, catalogue);
    if (component === undefined) unsure = true;
    const letter = maker.kind.charAt(0).toUpperCase();
    const own = component?.options.find((one) => one.name === name && one.encoding && one.media.includes(letter));
    const common = catalogue.generic.codec.get(name);
    if (own !== undefined) targets.push({ option: own, encoder: maker.encoder });
    else if (component !== undefined && common?.encoding === true && common.media.includes(letter))
      targets.push({ option: common, encoder: maker.encoder, generic: true });
  }
  if (
    specifier === undefined &&
    uses.some(({ owner, media }) => owner === 'format' || (owner === 'private' && media === ''))
  ) {
    const common = catalogue.generic.format.get(name);
    const component = muxer === undefined ? undefined : componentOf(catalogue, 'muxer', muxer);
    if (component === undefined) unsure = true;
    const option = common?.encoding === true ? common : muxerOption(component, name);
    if (option !== undefined) targets.push({ option });
  }
  const library = catalogue.generic.scaler.get(name) ?? catalogue.generic.resampler.get(name);
  if (
    library !== undefined &&
    !uses.some(({ owner }) => owner === 'codec' || owner === 'format' || owner === 'private')
  )
    targets.push({ option: library });
  return { targets, unsure, encoders: streams };
}

const muxerOption = (component: Component | undefined, name: string): AvOption | undefined =>
  component?.options.find((one) => one.name === name && one.encoding);
