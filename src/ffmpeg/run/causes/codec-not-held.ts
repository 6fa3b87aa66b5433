import { addOption, orElse, sendMember, sendOption } from '../../../domain/edit.ts';
import type { Failure } from '../../../domain/failure.ts';
import { extension, withExtension } from '../../../domain/media-path.ts';
import { andList } from '../../../domain/quantity.ts';
import { encodersOfMuxer, muxerRejectsCodec, nearestCodec } from '../../allowlist/container-codecs.ts';
import { formatText } from '../../log/format-text.ts';
import { argumentOf, fieldOf, inputStream, type MediaFacts, sentNameOf } from '../media-facts.ts';
import { failed } from './media-failure.ts';
import { isPictureSubtitle, otherKindOfSubtitles } from './picture-subtitles.ts';

/** Extensions that name a container which holds few codecs. */
const STRICT = /^(?:mp4|m4v|m4a|m4b|mov|webm|flv|3gp|3g2)$/;

/** A codec that the container does not hold, if there is one way to keep what it was chosen for. */
export function codecNotHeld(codec: string, facts: MediaFacts): Failure | undefined {
  const { muxer, path } = facts.plan.output;
  const nearest = nearestCodec(muxer, codec);
  const encoder = nearest === undefined && muxer === 'flv' ? usualOfFlv(codec) : nearest?.encoder;
  const message = cannotHold(facts, codec);
  if (nearest?.extension !== undefined && STRICT.test(extension(path))) {
    const other = sendMember('output', withExtension(path, nearest.extension));
    // A film that becomes an .m4a is mostly wanted for its sound.
    const isSound = nearest.kind === 'video' && /^m4[ab]$/.test(extension(path));
    return failed('UNSUPPORTED', message, isSound ? orElse(addOption('vn', ''), other) : other);
  }
  if (nearest?.extension !== undefined) return undefined;
  if (encoder === undefined) return undefined;
  const letter = (nearest?.kind ?? (AUDIO.test(codec) ? 'audio' : 'video')).charAt(0);
  const isCopyOfAll = fieldOf(facts, `c:${letter}`) === undefined && argumentOf(facts, 'c') === 'copy';
  const name = fieldOf(facts, `c:${letter}`) === undefined ? `c:${letter}` : sentNameOf(facts, `c:${letter}`);
  return failed('UNSUPPORTED', message, isCopyOfAll ? addOption(`c:${letter}`, encoder) : sendOption(name, encoder));
}

/**
 * The failure of streams that the container does not take as the request has them, with an encoder for each of their kinds. undefined if one
 * has none. `experimental`: a codec that the container takes only on request.
 */
export function streamsNotHeld(
  facts: MediaFacts,
  streams: MediaFacts['used'],
  experimental?: string,
): Failure | undefined {
  const { muxer } = facts.plan.output;
  const rejected = streams.flatMap(({ input, stream, copied }) => {
    const { codec = '', type } = inputStream(facts, input, stream) ?? {};
    if (type !== 'video' && type !== 'audio' && type !== 'subtitle') return [];
    const encoders = encodersOfMuxer(muxer, type);
    const isHeld = copied
      ? !muxerRejectsCodec(muxer, codec) && codec !== experimental
      : type !== 'subtitle' || encoders.includes(argumentOf(facts, 'c:s') ?? argumentOf(facts, 'c') ?? '');
    const what = type === 'subtitle' ? `${codec} subtitles` : codec;
    return isHeld ? [] : [{ what, name: `c:${type.charAt(0)}`, encoder: encoders[0] }];
  });
  if (rejected.length === 0) return undefined;
  // No encoder makes text of pictures.
  if (rejected.some(({ what }) => isPictureSubtitle(what.replace(/ subtitles$/, ''))))
    return otherKindOfSubtitles(facts);
  const encoders = new Map(rejected.map(({ name, encoder }) => [name, encoder]));
  const isSent = [...encoders.keys()].some((name) => fieldOf(facts, name) !== undefined);
  const edits = [...encoders].map(([name, value]) => ({ do: isSent ? 'send' : 'add', name, value }) as const);
  return failed(
    'UNSUPPORTED',
    cannotHold(facts, andList([...new Set(rejected.map(({ what }) => what))])),
    [...encoders.values()].includes(undefined)
      ? 'Send an output that ends with ".mkv", which holds nearly every codec.'
      : { edits },
  );
}

const cannotHold = ({ plan: { output } }: MediaFacts, what: string): string =>
  `${formatText({ muxer: output.muxer, extension: extension(output.path) })} cannot hold ${what}.`;

/** Subtitles that the muxer names by their codec. The fix has all encoders that the output needs. */
export function subtitlesNotHeld(codec: string, facts: MediaFacts): Failure | undefined {
  const failure = streamsNotHeld(facts, facts.used);
  return failure && { ...failure, message: cannotHold(facts, `${codec} subtitles`) };
}

/** A copy of a codec that MP4 holds only as an experiment. The fix has all encoders that the output needs. */
export function experimentalCopy(codec: string, facts: MediaFacts): Failure | undefined {
  const failure = streamsNotHeld(facts, facts.used, codec.toLowerCase());
  return failure && { ...failure, message: `MP4 holds ${codec} only as an experiment, on request.` };
}

const AUDIO = /^(?:opus|vorbis|flac|alac|ac3|eac3|dts|mp[12]|wma\w*|tta|wavpack|truehd|pcm_\w+)$/;

/** Without a codec, FLV gets its own old one, which few players show. */
const usualOfFlv = (codec: string): string | undefined =>
  encodersOfMuxer('flv', AUDIO.test(codec) ? 'audio' : 'video')[0];
