import { addOption, sendOption, withMore } from '@telecine/contract/domain/edit.ts';
import {
  holdsNoAudio,
  holdsNoVideo,
  holdsOneStream,
  holdsOnlyCover,
  holdsOnlySubtitles,
} from '../../allowlist/containers.ts';
import { oneOrList } from '../../plan/request/argv-option.ts';
import { type Kind, letterOf, type MediaFacts } from '../facts/media-facts.ts';
import { invalidInput, type MediaFailure, unsupportedRequest } from './media-failure.ts';

const COVERS: ReadonlySet<string> = new Set(['mjpeg', 'png', 'bmp']);

const WITH_COVER: ReadonlySet<string> = new Set(['ipod', 'mp3', 'flac', 'aiff']);

/** Explains a map of an image beside maps of audio, for an audio format: the client means a cover. undefined: another mistake. */
function coverBesideAudio(facts: MediaFacts, map: string, input: number): MediaFailure | undefined {
  const maps = facts.argumentsOf('map');
  const others = maps.filter((one) => one !== map);
  const isAudio = (one: string): boolean => facts.selected(one)?.streams?.some(({ type }) => type === 'audio') === true;
  const [image] = facts.inputs[input]?.streams ?? [];
  if (others.length === 0 || !others.every(isAudio) || !COVERS.has(image?.codec ?? '')) return undefined;
  const { muxer } = facts.plan.output;
  if (!WITH_COVER.has(muxer))
    return unsupportedRequest(
      `The format ${muxer} holds no images, and the map "${map}" selects the image of ${facts.pathOf(input)}.`,
      {
        ...sendOption(facts.sentNameOf('map'), oneOrList(others)),
        note: 'For a cover, send an output that ends in .m4a or .mp3.',
      },
    );
  const attached = addOption('disposition:v:0', 'attached_pic');
  return unsupportedRequest(
    `The format ${muxer} holds an image only as a cover, and the map "${map}" makes the image of ${facts.pathOf(input)} a video.`,
    facts.copiesVideo ? attached : withMore(attached, { do: 'add', name: 'c:v', value: 'copy' }),
  );
}

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

const AUDIO_FORMATS = /^(?:mp3|wav|flac|adts|ogg|oga|opus|ac3|eac3|aiff|ipod|mp2|w64|amr|tta|wv|spx)$/;

/** Returns the first map that selects a stream of another kind than the format holds, and its input. */
function wrongMap(facts: MediaFacts, kind: Kind) {
  const [found] = facts.argumentsOf('map').flatMap((map) => {
    const { input = 0, streams = [] } = facts.selected(map) ?? {};
    return streams.filter(({ type }) => type !== kind).map(({ type }) => ({ map, input, type }));
  });
  return found;
}

/** Explains a map by number for an audio format: `0:0` of a video is its video stream. */
export function videoInAudioFormat(facts: MediaFacts): MediaFailure | undefined {
  const { muxer } = facts.plan.output;
  const found = AUDIO_FORMATS.test(muxer) ? wrongMap(facts, 'audio') : undefined;
  if (found === undefined) return undefined;
  const { map, input, type } = found;
  const message = `The format ${muxer} holds audio, and the map "${map}" selects the ${type} of ${facts.pathOf(input)}`;
  const audios = facts.streamsOf(input, 'audio').map(({ index }) => `${input}:${index}`);
  return audios.length > 0
    ? unsupportedRequest(
        `${message}; its audio is ${audios.join(', ')}.`,
        sendOption(facts.sentNameOf('map'), audioMaps(facts)),
      )
    : (coverBesideAudio(facts, map, input) ??
        unsupportedRequest(
          `${message}, which has no audio.`,
          'Send a file with audio, or an output for video, such as .mp4.',
        ));
}

/** Returns the maps of the request. A map of other streams becomes a map of the audio of the same input. */
function audioMaps(facts: MediaFacts): string | readonly string[] {
  const maps = facts.argumentsOf('map').map((map) => {
    const { input, specifier = '', streams: selected = [] } = facts.selected(map) ?? {};
    if (!selected.some(({ type }) => type !== 'audio')) return map;
    // `0:m:language:ger` becomes `0:a:m:language:ger`.
    const isByLanguage = specifier.startsWith('m:') && selected.some(({ type }) => type === 'audio');
    return `${input}:a${isByLanguage ? `:${specifier}` : ''}`;
  });
  return oneOrList([...new Set(maps)]);
}

/** Explains a map by number for an image: `0:1` of a video is its audio stream. */
export function audioInImageFormat(facts: MediaFacts): MediaFailure | undefined {
  const found = /^image2/.test(facts.plan.output.muxer) ? wrongMap(facts, 'video') : undefined;
  if (found === undefined) return undefined;
  const { map, input, type } = found;
  return unsupportedRequest(
    `The output is an image, and the map "${map}" selects the ${type} of ${facts.pathOf(input)}.`,
    facts.streamsOf(input, 'video').length === 0
      ? 'Send a file with video, or an output for audio, such as .m4a.'
      : sendOption(facts.sentNameOf('map'), `${input}:v`),
  );
}
