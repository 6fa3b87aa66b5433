import type { Failure } from '../../../domain/failure.ts';
import { extension, withExtension } from '../../../domain/media-path.ts';
import { encodersOfMuxer, nearestCodec } from '../../allowlist/container-codecs.ts';
import { formatText } from '../../log/format-text.ts';
import { sendOption } from '../../values/value-error.ts';
import { argumentOf, fieldOf, type MediaFacts, sentNameOf } from '../media-facts.ts';
import { failed } from './media-failure.ts';

/** Extensions that name a container which holds few codecs. */
const STRICT = /^(?:mp4|m4v|m4a|m4b|mov|webm|flv|3gp|3g2)$/;

/** A codec that the container does not hold, if there is one way to keep what it was chosen for. */
export function codecNotHeld(codec: string, facts: MediaFacts): Failure | undefined {
  const { muxer, path } = facts.plan.output;
  const nearest = nearestCodec(muxer, codec);
  const encoder = nearest === undefined && muxer === 'flv' ? usualOfFlv(codec) : nearest?.encoder;
  const message = `${formatText({ muxer, extension: extension(path) })} cannot hold ${codec}.`;
  if (nearest?.extension !== undefined && STRICT.test(extension(path))) {
    const other = `"output": ${JSON.stringify(withExtension(path, nearest.extension))}`;
    // A film that becomes an .m4a is mostly wanted for its sound.
    const isSound = nearest.kind === 'video' && /^m4[ab]$/.test(extension(path));
    return failed(
      'UNSUPPORTED',
      message,
      isSound ? `Send "vn": "" for the sound alone, or ${other}.` : `Send ${other}.`,
    );
  }
  if (nearest?.extension !== undefined) return undefined;
  if (encoder === undefined) return undefined;
  const letter = (nearest?.kind ?? (AUDIO.test(codec) ? 'audio' : 'video')).charAt(0);
  const isCopyOfAll = fieldOf(facts, `c:${letter}`) === undefined && argumentOf(facts, 'c') === 'copy';
  const name = fieldOf(facts, `c:${letter}`) === undefined ? `c:${letter}` : sentNameOf(facts, `c:${letter}`);
  return failed(
    'UNSUPPORTED',
    message,
    isCopyOfAll ? `Send "c:${letter}": "${encoder}" as well.` : sendOption(name, encoder),
  );
}

const AUDIO = /^(?:opus|vorbis|flac|alac|ac3|eac3|dts|mp[12]|wma\w*|tta|wavpack|truehd|pcm_\w+)$/;

/** Without a codec, FLV gets its own old one, which few players show. */
const usualOfFlv = (codec: string): string | undefined =>
  encodersOfMuxer('flv', AUDIO.test(codec) ? 'audio' : 'video')[0];
