import type { PictureTraits } from '../log/picture-traits.ts';
import { RESIZING } from './filter-effects.ts';
import type { ForeseenPass } from './finished-pass.ts';
import { inputStream, type MediaFacts, optionValue, pictureSize } from './media-facts.ts';

/** The pictures that are encoded, with the shape that "scale" gives their pixels. */
export function withScaledPixels(facts: MediaFacts, pass: ForeseenPass): ForeseenPass {
  const outputTraits = new Map<number, PictureTraits>();
  const resized = facts.graphs.flatMap(({ filters }) => filters.filter(({ name }) => RESIZING.test(name)));
  const isScaled = resized.every((filter) => filter.name === 'scale' && optionValue(filter, 'reset_sar') === undefined);
  for (const { input, stream, output } of pass.used) {
    const from = inputStream(facts, input, stream);
    const size = from && pictureSize(facts, { input, stream: from });
    const { width, height } = pass.outputStreams.find(({ index }) => index === output) ?? {};
    if (from?.type !== 'video' || width === undefined || height === undefined || size === undefined) continue;
    // Of pixels without a shape, "scale" makes others without one.
    const before = facts.inputs[input]?.traits?.get(stream)?.pixelAspect;
    if (isScaled && before !== undefined && !size.isRotated && output !== undefined)
      outputTraits.set(output, { pixelAspect: (before * size.width * height) / (size.height * width) });
  }
  return { ...pass, outputTraits };
}
