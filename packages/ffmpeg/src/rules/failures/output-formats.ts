import {
  holdsNoAudio,
  holdsNoVideo,
  holdsOneStream,
  holdsOnlyCover,
  holdsOnlySubtitles,
} from '../../allowlist/containers.ts';
import { type Kind, letterOf, type MediaFacts } from '../facts/media-facts.ts';
import { invalidInput, type MediaFailure, unsupportedRequest } from './media-failure.ts';

const removed = (facts: MediaFacts): readonly string[] => ['vn', 'an', 'sn'].filter((name) => facts.has(name));

/** The only kind of streams that a format holds. undefined: it holds several kinds. */
export function kindOfFormat(muxer: string): Kind | undefined {
  if (holdsOnlySubtitles(muxer)) return 'subtitle';
  return holdsNoVideo(muxer) || holdsOnlyCover(muxer) ? 'audio' : holdsNoAudio(muxer) ? 'video' : undefined;
}

const HELD = { video: 'video or images', audio: 'audio', subtitle: 'subtitles' } as const;

const contentsOf = (facts: MediaFacts, verb: string): string =>
  facts.inputs.map((_one, index) => `${facts.pathOf(index)} ${verb} ${facts.contentOf(index)}`).join(', ');

/** Returns what to send if no input has a stream that the format holds. */
function sourceOfKind(facts: MediaFacts, kind: Kind): string {
  if (kind === 'subtitle' && facts.inputWith('audio') !== undefined)
    return 'For captions of the speech in it, send "preset": {"name": "captions-from-speech"}. Else send a file with subtitles.';
  return `Send a file with ${HELD[kind]}, or an output for ${facts.contentOf(0)}, such as ${endOf(facts)}.`;
}

const endOf = (facts: MediaFacts): string =>
  facts.streamsOf(0, 'video').length > 0 ? '.mp4' : facts.streamsOf(0, 'audio').length > 0 ? '.m4a' : '.srt';

const MAX_CHOICES = 4;

/** Explains an output with several streams, if its format supports only one stream. */
export function severalStreamsForFormat(facts: MediaFacts): MediaFailure | undefined {
  const { muxer } = facts.plan.output;
  const kind = kindOfFormat(muxer);
  if (kind === undefined || !holdsOneStream(muxer)) return undefined;
  const maps = facts.argumentsOf('map');
  const selected = maps.flatMap((map) => {
    const { input = 0, streams = [] } = facts.selected(map) ?? {};
    if (facts.has(`${letterOf(kind)}n`)) return [];
    return streams.filter(({ type }) => type === kind).map((stream) => ({ input, stream }));
  });
  if (selected.length < 2 || maps.some((map) => /^[-[]/.test(map))) return undefined;
  const choices = selected.slice(0, MAX_CHOICES).map(({ input, stream }) => {
    const map = `${input}:${letterOf(kind)}:${facts.streamsOf(input, kind).indexOf(stream)}`;
    return `"map": "${map}"${stream.language === undefined ? '' : ` (${stream.language})`}`;
  });
  return unsupportedRequest(
    `The format ${muxer} holds one stream of ${HELD[kind]}, and "map" selects ${selected.length}.`,
    `Send one of them: ${choices.join(', ')}. For all, send "outputs", one for each.`,
  );
}

export function noStreamForFormat(facts: MediaFacts): MediaFailure | undefined {
  if (facts.inputs.length === 0) return undefined;
  const { muxer } = facts.plan.output;
  const kind = kindOfFormat(muxer);
  // Checked first: if no input has this kind, `an` or `vn` is not the cause.
  if (kind !== undefined && facts.inputWith(kind) === undefined)
    return invalidInput(
      `The format ${muxer} holds ${HELD[kind]}, and the inputs have none: ${contentsOf(facts, 'has only')}.`,
      sourceOfKind(facts, kind),
    );
  const without = removed(facts);
  if (without.length > 0)
    return invalidInput(
      `Nothing is left for the format ${muxer}: ${contentsOf(facts, 'has')}, and the request has ${without.map((name) => `"${name}"`).join(' and ')}.`,
      {
        edits: without.map((name) => ({ do: 'remove', name })),
        or: 'send a file or an output with streams of another kind',
      },
    );
  return invalidInput(
    `The format ${muxer} can use nothing of the inputs: ${contentsOf(facts, 'has')}, in a form that ffmpeg cannot decode or copy.`,
    'Check that the file plays and is complete, or send it in another format.',
  );
}
