import { definedMembers } from '@telecine/contract/domain/defined.ts';
import { isVideoNotCover, type MediaInfo, type MediaStream } from '@telecine/contract/domain/media-info.ts';
import type { RecipeCut, RecipeDefinition, RecipeValue } from '@telecine/contract/domain/recipe.ts';
import { conditionsIn, referencesIn } from '@telecine/contract/domain/recipe-template.ts';
import { rememberEach } from '@telecine/contract/domain/remember.ts';
import { muxerRejectsCodec } from '@telecine/ffmpeg/allowlist/container-codecs.ts';
import { bestStream } from '@telecine/ffmpeg/estimate/best-streams.ts';
import { parseFormula } from '@telecine/ffmpeg/expression/formula.ts';
import { hasAlphaLayer, mayBeTransparent } from '@telecine/ffmpeg/filtergraph/video-colours.ts';
import { rateText } from '@telecine/ffmpeg/values/rate.ts';

/** The facts that a recipe can use about its first input, with the words for messages. */
export const FACT_NAMES = {
  duration: 'duration',
  partDuration: 'duration',
  width: 'width',
  height: 'height',
  fps: 'frame rate',
  frameRate: 'frame rate',
  bitrate: 'bit rate',
  sounds: 'audio streams',
  alpha: 'transparency',
  chapters: 'chapters',
  chaptersEnd: 'end of the last chapter',
  subtitles: 'subtitles',
  textSubtitles: 'subtitles',
  movTextSubtitles: 'subtitles',
  textTracks: 'subtitles',
  shown: 'streams',
  heard: 'streams',
  covers: 'cover',
  taggedStream: 'tags',
  channels: 'channels',
  mono: 'channels',
  surround: 'channels',
  sixteenBits: 'bits',
  chapterCount: 'chapters',
  m4aCodec: 'codec',
  oggCodec: 'codec',
  mp4Rejects: 'codec',
  missingLayout: 'channels',
  opusLayout: 'channels',
} as const;
export type Fact = keyof typeof FACT_NAMES;
export const FACTS = Object.keys(FACT_NAMES) as readonly Fact[];

/** Facts that are texts. Formulas cannot use them. */
export const TEXT_FACTS = [
  ...(['chapters', 'frameRate', 'textTracks', 'shown', 'heard', 'covers'] as const),
  ...(['taggedStream', 'm4aCodec', 'oggCodec', 'missingLayout', 'opusLayout'] as const),
];
type TextFact = (typeof TEXT_FACTS)[number];

/** Facts about subtitles. */
export const SUBTITLE_FACTS: ReadonlySet<Fact> = new Set([
  'subtitles',
  'textSubtitles',
  'movTextSubtitles',
  'textTracks',
]);

/** Facts that a recipe can do without. It then leaves out covers and tags, and mixes any channels. */
export const OPTIONAL_FACTS: ReadonlySet<Fact> = new Set<Fact>([
  ...(['textTracks', 'shown', 'heard', 'covers', 'taggedStream', 'channels', 'mono', 'surround'] as const),
  ...(['sixteenBits', 'chapterCount', 'm4aCodec', 'oggCodec', 'missingLayout', 'opusLayout', 'mp4Rejects'] as const),
]);

/**
 * Facts about the first input. Absent facts are unknown.
 * `duration`: of the part that options of the input choose. `partDuration`: of the part that is converted, also if options of the output choose it.
 * `fps`: the average rate, or an assumed one. `frameRate`: the rate at which ffmpeg converts the video, exactly: `25`, `30000/1001`.
 * `bitrate`: bits per second of the whole file. `sounds`: the number of audio streams.
 * `alpha`: 1 if the video may be transparent, otherwise 0.
 * `chapters`: the times in seconds at which one chapter ends and the next begins, separated by commas. `chaptersEnd`: the end of the last
 * chapter, if the file continues after it.
 * `textSubtitles`: the number of subtitle streams if all of them are text, otherwise 0.
 * `textTracks`, `covers`: the text subtitles, and the covers that audio files can hold, as values of `map`, one in each line.
 * `shown`, `heard`: the video and the audio that ffmpeg selects itself, as values of `map`.
 * `taggedStream`: the stream with the tags of the file, in formats that have no tags of the whole file.
 * `channels`: of the audio with most. `mono`: 1 if all audio has one channel. `surround`: the number of streams with more than two.
 * `sixteenBits`: 1 if a sample of all audio has at most 16 bits.
 * `missingLayout`: the usual layout of the audio, if its decoder (Speex, TAK) names none.
 * `opusLayout`: the layout of surround sound in Opus and M4A, to which those of discs and broadcasts such as 5.1(side) and 4.0 are converted.
 * `mp4Rejects`: 1 if MP4 does not hold the video that ffmpeg selects, such as VP8.
 * `m4aCodec`, `oggCodec`: "copy" if these formats hold the audio that ffmpeg selects, otherwise their usual encoder.
 */
export type InputFacts = { readonly [fact in Exclude<Fact, TextFact>]?: number } & {
  readonly [fact in TextFact]?: string;
};

/** Whether an argument has a value: the client sent one, or the argument has a default. */
type HasValue = (argument: string) => boolean;

/** The facts that a recipe uses with these arguments. Most recipes use none. */
export const factsOf = (recipe: RecipeDefinition, hasValue: HasValue): ReadonlySet<Fact> =>
  factsAmong([...namesInFormulas(recipe, hasValue), ...templateNames(recipe).used, ...templateNames(recipe).tested]);

/** The facts that a recipe needs: it uses their values, does not only test whether they are known, and they are not optional. */
export const requiredFactsOf = (recipe: RecipeDefinition, hasValue: HasValue): ReadonlySet<Fact> =>
  factsAmong(
    [...namesInFormulas(recipe, hasValue), ...templateNames(recipe).used],
    FACTS.filter((fact) => !OPTIONAL_FACTS.has(fact)),
  );

/** Whether a recipe uses `input.start`. */
export const usesStart = rememberEach((recipe: RecipeDefinition): boolean => {
  const { used, tested } = templateNames(recipe);
  return [...formulasOf(recipe).flatMap(({ uses }) => [...uses]), ...used, ...tested].includes('input.start');
});

/** The names in the templates of a recipe. `tested`: names that templates only test, for example with `when`. */
const templateNames = rememberEach((recipe: RecipeDefinition) => {
  const values = valuesOf(recipe);
  return {
    used: values.flatMap((one) => {
      const condition = typeof one === 'object' && 'when' in one ? one.when : undefined;
      return [...referencesIn(one)].filter((name) => name !== condition);
    }),
    tested: values.flatMap((one) => [...conditionsIn(one)]),
  };
});

/** The names in each formula of a recipe. Formulas of `values` come first, in order. Formulas of `limits` follow. */
const formulasOf = rememberEach(({ values = {}, limits = {} }: RecipeDefinition) => [
  ...Object.entries(values).map(([name, text]) => ({ name, uses: parseFormula(text).names })),
  ...Object.values(limits)
    .flatMap(({ min, max }) => [min, max])
    .flatMap((text) => (text === undefined ? [] : [{ name: undefined, uses: parseFormula(text).names }])),
]);

/** The names in formulas that are computed. A formula is not computed if one of its arguments has no value. */
function namesInFormulas(recipe: RecipeDefinition, hasValue: HasValue): readonly string[] {
  const without = new Set(Object.keys(recipe.arguments).filter((name) => !hasValue(name)));
  return formulasOf(recipe).flatMap(({ name, uses }) => {
    if (![...uses].some((one) => without.has(one))) return [...uses];
    if (name !== undefined) without.add(name);
    return [];
  });
}

const factsAmong = (names: readonly string[], among = FACTS): ReadonlySet<Fact> =>
  new Set(among.filter((fact) => names.includes(`input.${fact}`)));

/** The options of a recipe and of its outputs. */
const optionsOf = ({ request: { parameters, outputs = [] } }: RecipeDefinition): readonly RecipeValue[] =>
  [parameters, ...outputs.map((one) => one.parameters)].flatMap((options) => Object.values(options));

/** All templates of a recipe. */
export function valuesOf(recipe: RecipeDefinition): readonly (RecipeValue | undefined)[] {
  const { inputs, request, arguments: own } = recipe;
  return [
    ...inputs.flatMap(({ parameters = {} }) => Object.values(parameters)),
    ...optionsOf(recipe),
    ...inputs.flatMap(({ duration, crossfade }) => [duration, crossfade]),
    ...Object.values(request.thumbnailTrack ?? {}),
    ...cutTexts(request.cut).map(({ text }) => text),
    request.transcribe?.language,
    request.quality?.target,
    request.maxBytes,
    ...Object.values(request.ladder ?? {}),
    ...(request.outputs ?? []).flatMap(({ when }) => (when === undefined ? [] : { when })),
    ...Object.values(own).flatMap((argument) => (argument.type === 'choice' ? Object.values(argument.choices) : [])),
  ];
}

/** The shortest chapter in seconds. A shorter chapter is joined to the chapter before it, because its file would be empty. */
const SHORTEST_CHAPTER = 0.5;

/**
 * The times at which one chapter ends and the next begins. undefined: the file has fewer than two chapters. A gap before the first chapter
 * belongs to it.
 */
function chapterTimes({ format, chapters, leftOut }: MediaInfo): string | undefined {
  const end = format.durationSeconds ?? Number.POSITIVE_INFINITY;
  const starts = chapters
    .map(({ startSeconds }) => startSeconds - (format.startSeconds ?? 0))
    .toSorted((a, b) => a - b);
  const times: number[] = [];
  for (const start of starts.slice(1))
    if (start - (times.at(-1) ?? 0) >= SHORTEST_CHAPTER && start <= end - SHORTEST_CHAPTER) times.push(start);
  if (times.length === 0 || (leftOut?.chapters ?? 0) > 0) return undefined;
  return times.map((time) => Number(time.toFixed(6))).join(',');
}

/** The longest part after the last chapter that the written files may omit, in seconds and as a share of the file. */
const LONGEST_END_SECONDS = 5;
const LONGEST_END_SHARE = 0.02;

/** The end of the last chapter. undefined: the part after it is shorter than a chapter, or so long that it may be content. */
function chaptersEnd({ format, chapters }: MediaInfo): number | undefined {
  const end = Math.max(...chapters.map(({ endSeconds }) => endSeconds)) - (format.startSeconds ?? 0);
  const rest = (format.durationSeconds ?? 0) - end;
  const longest = Math.max(LONGEST_END_SECONDS, (format.durationSeconds ?? 0) * LONGEST_END_SHARE);
  return rest >= SHORTEST_CHAPTER && rest <= longest ? Number(end.toFixed(6)) : undefined;
}

/** Above this rate in frames per second, the rate that fits all times is not that of a video, but the time base. As in ffmpeg. */
const HIGHEST_RATE = 210;

/**
 * The frame rate at which ffmpeg converts a video: the lowest one that fits all times, so that a video of variable rate loses no frame. The
 * average, if it is known and there is no such rate, or if that rate is the rate of fields.
 */
function frameRateOf({ frameRate, frameRateExact, baseFrameRate, fieldOrder }: Partial<MediaStream> = {}) {
  const average = frameRateExact?.replace(/\/1$/, '') ?? frameRate?.toString();
  if (baseFrameRate === undefined || baseFrameRate > HIGHEST_RATE) return average;
  if (frameRate === undefined) return rateText(baseFrameRate);
  const ratio = baseFrameRate / frameRate;
  const isOfFields = fieldOrder !== undefined && fieldOrder !== 'progressive' && Math.abs(ratio - 2) < 0.01;
  return isOfFields || Math.abs(ratio - 1) < 1e-4 ? average : rateText(baseFrameRate);
}

/** The rate of a video that states none, so that a recipe can count its frames: rather too many than too few. */
const ASSUMED_RATE = 60;

/** The average frame rate. Without one, the rate that fits all times, or an assumed one. */
const averageRate = ({ frameRate, baseFrameRate = ASSUMED_RATE }: Partial<MediaStream> = {}): number =>
  frameRate ?? (baseFrameRate > HIGHEST_RATE ? ASSUMED_RATE : baseFrameRate);

/** Reads facts from a probe of a file, except `partDuration`, which depends on the request. Swaps width and height of a video that is rotated for display. */
export function readFacts(info: MediaInfo): InputFacts {
  const { format, streams } = info;
  const chapters = chapterTimes(info);
  const end = chapters === undefined ? undefined : chaptersEnd(info);
  const video = streams.find(isVideoNotCover);
  const { rotationDegrees = 0 } = video ?? {};
  const isTurned = Math.abs(rotationDegrees) % 180 === 90;
  const [width, height] = isTurned ? [video?.height, video?.width] : [video?.width, video?.height];
  const { durationSeconds: duration, sizeBytes, bitRate } = format;
  const bitrate = bitRate ?? (sizeBytes && duration ? (sizeBytes * 8) / duration : undefined);
  return {
    ...definedMembers<InputFacts>({ duration, bitrate, width, height, chapters, chaptersEnd: end }),
    ...definedMembers<InputFacts>({ frameRate: frameRateOf(video) }),
    fps: averageRate(video),
    sounds: streams.filter(({ type }) => type === 'audio').length,
    alpha: Number(video !== undefined && (mayBeTransparent(video.pixelFormat) || hasAlphaLayer(video))),
    ...subtitleFacts(streams),
    ...trackFacts(info),
    ...soundFacts(streams.filter(({ type }) => type === 'audio')),
  };
}

/** Covers that MP3, M4A and FLAC can hold. */
const COVER = /^(?:mjpeg|png)$/;

/** Values of `map`, one in each line, which name the kind, so that checks know it. undefined: there is no stream. */
function mapsOf(some: readonly MediaStream[], streams: readonly MediaStream[]): string | undefined {
  const map = (one: MediaStream): string =>
    `0:${one.type[0]}:${streams.filter(({ type }) => type === one.type).findIndex(({ index }) => index === one.index)}`;
  return some.length === 0 ? undefined : some.map(map).join('\n');
}

function trackFacts({ format, streams, chapters }: MediaInfo): InputFacts {
  const [video, audio] = [bestStream('video', streams), bestStream('audio', streams)];
  const covers = streams.filter(({ isAttachedPicture, codec = '' }) => isAttachedPicture === true && COVER.test(codec));
  return definedMembers<InputFacts>({
    chapterCount: chapters.length,
    mp4Rejects: Number(muxerRejectsCodec('mp4', video?.codec ?? '')),
    m4aCodec: /^(?:aac|alac)$/.test(audio?.codec ?? '') ? 'copy' : 'aac',
    oggCodec: audio?.codec === 'opus' ? 'copy' : 'libopus',
    missingLayout: audio && layoutIfMissing(audio),
    opusLayout: (audio?.channels ?? 0) > 2 ? OPUS_LAYOUTS[audio?.channels ?? 0] : undefined,
    shown: video && mapsOf([video], streams),
    heard: audio && mapsOf([audio], streams),
    covers: mapsOf(covers, streams),
    taggedStream: format.names.includes('ogg') ? '0:s:0' : undefined,
  });
}

/** The usual layouts, by the number of channels. ffmpeg assumes them for PCM without a layout, but not for other codecs. */
const USUAL_LAYOUTS = ['', 'mono', 'stereo', '2.1', '4.0', '5.0', '5.1', '6.1', '7.1'];
const OPUS_LAYOUTS = ['', 'mono', 'stereo', '3.0', 'quad', '5.0', '5.1', '6.1', '7.1'];

const layoutIfMissing = ({ channelLayout, codec = '', channels = 0 }: MediaStream): string | undefined =>
  channelLayout !== undefined || codec.startsWith('pcm_') ? undefined : USUAL_LAYOUTS[channels];

function soundFacts(audio: readonly MediaStream[]): InputFacts {
  const channels = audio.map((one) => one.channels ?? 0);
  return {
    channels: Math.max(0, ...channels),
    mono: Number(audio.length > 0 && channels.every((count) => count === 1)),
    surround: channels.filter((count) => count > 2).length,
    sixteenBits: Number(
      audio.length > 0 && audio.every(({ sampleFormat = '' }) => /^(?:u8|s16)p?$/.test(sampleFormat)),
    ),
  };
}

/** The codecs of text subtitles. Every text encoder of ffmpeg can read them. */
const TEXT =
  /^(?:subrip|srt|ass|ssa|mov_text|webvtt|text|ttml|microdvd|sami|subviewer1?|mpl2|jacosub|realtext|stl|eia_608)$/;

function subtitleFacts(streams: readonly MediaStream[]): InputFacts {
  const subtitles = streams.filter(({ type }) => type === 'subtitle');
  const texts = subtitles.filter(({ codec = '' }) => TEXT.test(codec));
  return {
    subtitles: subtitles.length,
    textSubtitles: texts.length === subtitles.length ? texts.length : 0,
    movTextSubtitles: subtitles.filter(({ codec }) => codec === 'mov_text').length,
    ...definedMembers<InputFacts>({ textTracks: mapsOf(texts, streams) }),
  };
}

/** A text of a cut, and its JSON Pointer in the cut. */
interface CutText {
  readonly pointer: string;
  readonly text: string;
}

/** The texts of a cut. Each text must yield a number. */
export function cutTexts({ remove, keep, crossfade }: RecipeCut = {}): readonly CutText[] {
  const texts: readonly (readonly [pointer: string, text: string | undefined])[] = [
    ['/remove/silence/noiseDb', remove?.silence.noiseDb],
    ['/remove/silence/minSeconds', remove?.silence.minSeconds],
    ['/remove/marginSeconds', remove?.marginSeconds],
    ['/keep/scenes/threshold', keep?.scenes.threshold],
    ['/keep/count', keep?.count],
    ['/keep/partSeconds', keep?.partSeconds],
    ['/crossfade', crossfade],
  ];
  return texts.flatMap(([pointer, text]) => (text === undefined ? [] : [{ pointer, text }]));
}
