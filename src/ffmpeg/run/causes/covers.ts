import { addOption, sendOption, withMore } from '../../../domain/edit.ts';
import type { Failure } from '../../../domain/failure.ts';
import { type MediaFacts, matchingStreams, oneOrAll, pathOf, sentNameOf } from '../media-facts.ts';
import { failed } from './media-failure.ts';

/** Codecs of pictures that players show as covers. */
const COVERS: ReadonlySet<string> = new Set(['mjpeg', 'png', 'bmp']);

/** Formats of sound that hold a cover. */
const WITH_COVER: ReadonlySet<string> = new Set(['ipod', 'mp3', 'flac', 'aiff']);

/**
 * A map of a picture beside maps of sound, for a format of sound: a cover, if the format holds one. undefined: it is
 * another mistake.
 */
export function coverBesideSound(facts: MediaFacts, map: string, input: number): Failure | undefined {
  const maps = facts.argv.flatMap((word, at) => (word === '-map' ? [facts.argv[at + 1] ?? ''] : []));
  const others = maps.filter((one) => one !== map);
  const isSound = (one: string): boolean => {
    const [, number, specifier = ''] = /^(\d+)(?!\d):?(.*?)\??$/.exec(one) ?? [];
    const streams = number === undefined ? [] : (matchingStreams(facts, Number(number), specifier) ?? []);
    return streams.some(({ type }) => type === 'audio');
  };
  const [picture] = facts.inputs[input]?.streams ?? [];
  if (others.length === 0 || !others.every(isSound) || !COVERS.has(picture?.codec ?? '')) return undefined;
  const { muxer } = facts.plan.output;
  if (!WITH_COVER.has(muxer))
    return failed(
      'UNSUPPORTED',
      `The format ${muxer} holds no pictures, and the map "${map}" selects that of ${pathOf(facts, input)}.`,
      {
        ...sendOption(sentNameOf(facts, 'map'), oneOrAll(others)),
        note: 'For a cover, send an output that ends in .m4a or .mp3.',
      },
    );
  const attached = addOption('disposition:v:0', 'attached_pic');
  const isCopied = facts.argv.some((word, at) => /^-c(?::v.*)?$/.test(word) && facts.argv[at + 1] === 'copy');
  return failed(
    'UNSUPPORTED',
    `The format ${muxer} holds a picture only as a cover, and the map "${map}" makes that of ${pathOf(facts, input)} a film.`,
    isCopied ? attached : withMore(attached, { do: 'add', name: 'c:v', value: 'copy' }),
  );
}
