import { addOption, leaveOut, orElse, sendOption, withMore } from '../../../domain/edit.ts';
import type { Failure } from '../../../domain/failure.ts';
import { type GraphFilter, printFilter } from '../../filtergraph/graph.ts';
import { bitRateFix, evenBelow, evenWidth } from '../../values/number.ts';
import { printChanged, sendInstead, withFilter } from '../graph-fixes.ts';
import { type MediaFacts, optionValue, sentNameOf } from '../media-facts.ts';
import { failed } from './media-failure.ts';

/** The bit rate of an encoder that names its range. */
export function bitRateBeyond(sent: number, min: number, max: number, facts: MediaFacts): Failure | undefined {
  const key = facts.argv.find((word) => /^-b(?::a.*|:\d+)?$/.test(word))?.slice(1);
  if (key === undefined) return undefined;
  const meant = sent > max ? max : min;
  return failed(
    'FFMPEG_FAILED',
    `The encoder takes ${min} to ${max} bits per second for the channels of this sound, and the request has ${sent}.`,
    sendOption(sentNameOf(facts, key), meant % 1000 === 0 ? `${meant / 1000}k` : String(meant)),
  );
}

/** The failure if the request sets a quality for an encoder of sound that only takes a bit rate. */
export function bitRateOnly(facts: MediaFacts): Failure | undefined {
  const key = facts.argv.find((word) => /^-q(?::a.*|:\d+)?$/.test(word))?.slice(1);
  if (key === undefined) return undefined;
  const name = sentNameOf(facts, key);
  return failed('FFMPEG_FAILED', `The encoder has no quality like "${name}", only a bit rate.`, leaveOut(name));
}

/** A bit rate of the video that counts as none. Its fix is that of the warning about the request. */
export function missingBitRate(facts: MediaFacts): Failure | undefined {
  const at = facts.argv.findLastIndex((word) => /^-b:(?:v.*|\d+)$/.test(word));
  const [key, value] = facts.argv.slice(at, at + 2);
  if (at < 0 || key === undefined || value === undefined) return undefined;
  return failed(
    'FFMPEG_FAILED',
    `The bit rate ${value} is below 1000 bits per second.`,
    bitRateFix(sentNameOf(facts, key.slice(1)), value, 'video'),
  );
}

/** A picture with an odd side, for an encoder that halves the resolution of the colours. */
export function oddSize(width: number, height: number, facts: MediaFacts): Failure {
  const [w, h] = [evenBelow(width), evenBelow(height)];
  const message = `The encoder needs an even width and height, and the picture has ${width}x${height}.`;
  const sized = facts.argv.findLast((word, at) => /^-s(?::v.*)?$/.test(word) && facts.argv[at + 1] !== undefined);
  if (sized !== undefined)
    return failed('FFMPEG_FAILED', message, sendOption(sentNameOf(facts, sized.slice(1)), `${w}x${h}`));
  const [graph, ...others] = facts.graphs.filter(({ key }) => !/^filter:a/.test(key));
  if (graph === undefined) return failed('FFMPEG_FAILED', message, addOption('vf', `crop=${w}:${h}`));
  const last = graph.graph.chains.at(-1)?.at(-1);
  if (others.length > 0 || graph.key === 'filter_complex' || last === undefined)
    return failed('FFMPEG_FAILED', message, `Put "crop=${w}:${h}" after the last filter of the picture.`);
  const scaled = last.name === 'scale' ? evenScale(last, width, height) : undefined;
  if (scaled !== undefined) return failed('FFMPEG_FAILED', message, withFilter(facts, graph, last, scaled));
  const plain = printFilter({ ...last, inputs: [], outputs: [] });
  return failed('FFMPEG_FAILED', message, withFilter(facts, graph, last, `${plain},crop=${w}:${h}`));
}

/** The filter `scale` with an even size. -2 keeps the aspect ratio as -1 does. undefined if its size is an expression. */
function evenScale(filter: GraphFilter, width: number, height: number): string | undefined {
  const side = (sent: string | undefined, pixels: number, even: number): string | undefined =>
    sent === '-1' ? '-2' : sent === String(pixels) ? String(even) : sent === '-2' ? sent : undefined;
  const w = side(optionValue(filter, 'w', 'width'), width, evenWidth(width, height));
  const h = side(optionValue(filter, 'h', 'height'), height, evenBelow(height));
  return w === undefined || h === undefined ? undefined : printChanged(filter, { w, h }, ['width', 'height']);
}

/** libsvtav1 2 and later rejects a highest bit rate beside an average one. Its own line about it has no colour. */
export function limitWithoutQuality(facts: MediaFacts): Failure | undefined {
  const sent = (name: string): boolean => facts.argv.some((word) => new RegExp(`^-${name}(?::v.*)?$`).test(word));
  if (!facts.argv.includes('libsvtav1') || !sent('maxrate') || !sent('b')) return undefined;
  return failed(
    'UNSUPPORTED',
    'This libsvtav1 limits the bit rate ("maxrate") only with a quality ("crf"), not with an average ("b:v").',
    orElse(withMore(leaveOut('maxrate'), { do: 'remove', name: 'bufsize' }), sendInstead('b:v', 'crf', '35')),
  );
}
