import { addOption, sendOption, withMore } from '../../../domain/edit.ts';
import type { Failure } from '../../../domain/failure.ts';
import {
  holdsNoSound,
  holdsNoVideo,
  holdsOneStream,
  holdsOnlyCover,
  holdsOnlySubtitles,
} from '../../allowlist/containers.ts';
import { type Kind, type MediaFacts, oneOrAll } from '../facts/media-facts.ts';
import { failed } from './media-failure.ts';

/** Codecs of pictures that players show as covers. */
const COVERS: ReadonlySet<string> = new Set(['mjpeg', 'png', 'bmp']);

/** Formats of sound that hold a cover. */
const WITH_COVER: ReadonlySet<string> = new Set(['ipod', 'mp3', 'flac', 'aiff']);

/**
 * A map of a picture beside maps of sound, for a format of sound: a cover, if the format holds one. undefined: it is
 * another mistake.
 */
function coverBesideSound(facts: MediaFacts, map: string, input: number): Failure | undefined {
  const maps = facts.argumentsOf('map');
  const others = maps.filter((one) => one !== map);
  const isSound = (one: string): boolean => {
    const { streams = [] } = facts.selected(one) ?? {};
    return streams.some(({ type }) => type === 'audio');
  };
  const [picture] = facts.inputs[input]?.streams ?? [];
  if (others.length === 0 || !others.every(isSound) || !COVERS.has(picture?.codec ?? '')) return undefined;
  const { muxer } = facts.plan.output;
  if (!WITH_COVER.has(muxer))
    return failed(
      'UNSUPPORTED',
      `The format ${muxer} holds no pictures, and the map "${map}" selects that of ${facts.pathOf(input)}.`,
      {
        ...sendOption(facts.sentNameOf('map'), oneOrAll(others)),
        note: 'For a cover, send an output that ends in .m4a or .mp3.',
      },
    );
  const attached = addOption('disposition:v:0', 'attached_pic');
  const isCopied = facts.argv.some((word, at) => /^-c(?::v.*)?$/.test(word) && facts.argv[at + 1] === 'copy');
  return failed(
    'UNSUPPORTED',
    `The format ${muxer} holds a picture only as a cover, and the map "${map}" makes that of ${facts.pathOf(input)} a film.`,
    isCopied ? attached : withMore(attached, { do: 'add', name: 'c:v', value: 'copy' }),
  );
}

/** The kinds that options of the request remove. */
const removed = ({ argv }: MediaFacts): readonly string[] =>
  ['vn', 'an', 'sn'].filter((name) => argv.includes(`-${name}`));

/** The one kind of streams that a format needs. undefined for formats of several kinds. */
export function kindOfFormat(muxer: string): Kind | undefined {
  if (holdsOnlySubtitles(muxer)) return 'subtitle';
  return holdsNoVideo(muxer) || holdsOnlyCover(muxer) ? 'audio' : holdsNoSound(muxer) ? 'video' : undefined;
}

const HELD = { video: 'pictures', audio: 'sound', subtitle: 'subtitles' } as const;

function lackOf(facts: MediaFacts, kind: Kind): string {
  const contents = facts.inputs.map((_one, index) => `${facts.pathOf(index)} has only ${facts.contentOf(index)}`);
  return `The format ${facts.plan.output.muxer} holds ${HELD[kind]}, and the inputs have none: ${contents.join(', ')}.`;
}

/** What to send for a format of which the inputs have nothing. */
function sourceOfKind(facts: MediaFacts, kind: Kind): string {
  const hasSound = facts.inputs.some((_one, index) => facts.streamsOf(index, 'audio').length > 0);
  if (kind === 'subtitle' && hasSound)
    return 'For captions of the speech in it, send "preset": {"name": "captions-from-speech"}. Else send a file with subtitles.';
  return `Send a file with ${HELD[kind]}, or an output for ${facts.contentOf(0)}, such as ${endOf(facts)}.`;
}

/** The extension of a usual output for the first input. */
const endOf = (facts: MediaFacts): string =>
  facts.streamsOf(0, 'video').length > 0 ? '.mp4' : facts.streamsOf(0, 'audio').length > 0 ? '.m4a' : '.srt';

/** The most streams that a fix offers. */
const MAX_CHOICES = 4;

/** The failure of an output that gets several streams, and whose format holds one of them. */
export function severalStreamsForFormat(facts: MediaFacts): Failure | undefined {
  const { muxer } = facts.plan.output;
  const kind = kindOfFormat(muxer);
  if (kind === undefined || !holdsOneStream(muxer)) return undefined;
  const maps = facts.argumentsOf('map');
  const selected = maps.flatMap((map) => {
    const { input = 0, streams = [] } = facts.selected(map) ?? {};
    if (removed(facts).includes(`${kind.charAt(0)}n`)) return [];
    return streams.filter(({ type }) => type === kind).map((stream) => ({ input, stream }));
  });
  if (selected.length < 2 || maps.some((map) => /^[-[]/.test(map))) return undefined;
  const choices = selected.slice(0, MAX_CHOICES).map(({ input, stream }) => {
    const map = `${input}:${kind.charAt(0)}:${facts.streamsOf(input, kind).indexOf(stream)}`;
    return `"map": "${map}"${stream.language === undefined ? '' : ` (${stream.language})`}`;
  });
  return failed(
    'UNSUPPORTED',
    `The format ${muxer} holds one stream of ${HELD[kind]}, and "map" selects ${selected.length}.`,
    `Send one of them: ${choices.join(', ')}. For all, send "outputs", one for each.`,
  );
}

export function noStreamForFormat(facts: MediaFacts): Failure | undefined {
  if (facts.inputs.length === 0) return undefined;
  const kind = kindOfFormat(facts.plan.output.muxer);
  // Options that remove other kinds are not the cause.
  if (kind !== undefined && !facts.inputs.some((_one, index) => facts.streamsOf(index, kind).length > 0))
    return failed('INPUT_INVALID', lackOf(facts, kind), sourceOfKind(facts, kind));
  const contents = facts.inputs.map((_one, index) => `${facts.pathOf(index)} has only ${facts.contentOf(index)}`);
  const without = removed(facts);
  if (without.length > 0) {
    const names = without.map((name) => `"${name}"`).join(' and ');
    const all = facts.inputs.map((_one, index) => `${facts.pathOf(index)} has ${facts.contentOf(index)}`).join(', ');
    return failed(
      'INPUT_INVALID',
      `Nothing is left for the format ${facts.plan.output.muxer}: ${all}, and the request has ${names}.`,
      {
        edits: without.map((name) => ({ do: 'remove', name })),
        or: 'send a file or an output with streams of another kind',
      },
    );
  }
  return failed(
    'INPUT_INVALID',
    `The format ${facts.plan.output.muxer} can use nothing of the inputs: ${contents.join(', ')}.`,
    `Send a file that has what the format holds, or an output for ${facts.contentOf(0)}, such as ${endOf(facts)}.`,
  );
}

/** Formats that hold sound and no film. */
const SOUND_FORMATS = /^(?:mp3|wav|flac|adts|ogg|oga|opus|ac3|eac3|aiff|ipod|mp2|w64|amr|tta|wv|spx)$/;

/** The output format is only for sound, but a map by number selects a video stream. */
export function videoInSoundFormat(facts: MediaFacts): Failure | undefined {
  const { muxer } = facts.plan.output;
  if (!SOUND_FORMATS.test(muxer)) return undefined;
  for (const map of facts.argumentsOf('map')) {
    const { input = 0, streams = [] } = facts.selected(map) ?? {};
    const wrong = streams.find(({ type }) => type !== 'audio');
    if (wrong === undefined) continue;
    const sounds = facts.streamsOf(input, 'audio');
    const cover = sounds.length === 0 ? coverBesideSound(facts, map, input) : undefined;
    if (cover !== undefined) return cover;
    return failed(
      'UNSUPPORTED',
      `The format ${muxer} holds sound, and the map "${map}" selects the ${wrong.type} of ${facts.pathOf(input)}${
        sounds.length === 0
          ? ', which has no audio'
          : `; its audio is ${sounds.map(({ index }) => `${input}:${index}`).join(', ')}`
      }.`,
      sounds.length === 0
        ? 'Send a file with audio, or an output for video, such as .mp4.'
        : sendOption(facts.sentNameOf('map'), soundMaps(facts)),
    );
  }
  return undefined;
}

/** The maps of the request, with the audio of an input where a map selects something else. */
function soundMaps(facts: MediaFacts): string | readonly string[] {
  const maps = facts.argumentsOf('map').map((map) => {
    const { input, specifier = '', streams: selected = [] } = facts.selected(map) ?? {};
    if (!selected.some(({ type }) => type !== 'audio')) return map;
    // The sound of the same language.
    const isByLanguage = specifier.startsWith('m:') && selected.some(({ type }) => type === 'audio');
    return `${input}:a${isByLanguage ? `:${specifier}` : ''}`;
  });
  const [first = '', ...others] = [...new Set(maps)];
  return others.length === 0 ? first : [first, ...others];
}

/** A map by number selects a sound for an output that is a picture. */
export function soundInPictureFormat(facts: MediaFacts): Failure | undefined {
  if (!/^image2/.test(facts.plan.output.muxer)) return undefined;
  for (const map of facts.argumentsOf('map')) {
    const { input = 0, streams = [] } = facts.selected(map) ?? {};
    const wrong = streams.find(({ type }) => type !== 'video');
    if (wrong === undefined) continue;
    return failed(
      'UNSUPPORTED',
      `The output is a picture, and the map "${map}" selects the ${wrong.type} of ${facts.pathOf(input)}.`,
      facts.streamsOf(input, 'video').length === 0
        ? 'Send a file with video, or an output for sound, such as .m4a.'
        : sendOption(facts.sentNameOf('map'), `${input}:v`),
    );
  }
  return undefined;
}
