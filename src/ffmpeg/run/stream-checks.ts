import { addOption, leaveOut, orElse, sendOption } from '../../domain/edit.ts';
import { extension } from '../../domain/media-path.ts';
import { toneMapping } from '../filtergraph/picture-colours.ts';
import { RESIZING } from './filter-effects.ts';
import type { FinishedPass, ForeseenPass, RunWarning } from './finished-pass.ts';
import { printChanged, withFilter } from './graph-fixes.ts';
import {
  argumentOf,
  fieldOf,
  inputStream,
  type MediaFacts,
  optionValue,
  pathOf,
  pictureSize,
  sentNameOf,
  sourceOf,
} from './media-facts.ts';
import type { FilterCheck } from './time-checks.ts';

/** ffmpeg turns pictures as their file asks, and the filter turns them again. */
export const rotatedTwice: FilterCheck = (facts, graph, filter) => {
  if (filter.name !== 'transpose') return undefined;
  const source = sourceOf(facts, graph, filter, 0, RESIZING);
  const size = source && pictureSize(facts, source);
  if (source === undefined || size?.isRotated !== true) return undefined;
  const others = graph.filters.filter((one) => one !== filter);
  return {
    code: 'ROTATED_TWICE',
    message: `${pathOf(facts, source.input)} asks players to rotate it, and ffmpeg did that before the filter transpose, which turned it again.`,
    fix: others.length === 0 ? leaveOut('vf') : withFilter(facts, graph, filter, 'null'),
  };
};

const CHANNELS: Readonly<Record<string, number>> = {
  stereo: 2,
  '2.1': 3,
  '3.0': 3,
  quad: 4,
  '4.0': 4,
  '5.0': 5,
  '5.1': 6,
  '5.1(side)': 6,
  '7.1': 8,
};

/** `adelay=2000` delays only the first channel. */
export const delayedChannels: FilterCheck = (facts, graph, filter) => {
  const channels =
    CHANNELS[sourceOf(facts, graph, filter, 0, /^(?:pan|aformat|channel|join|amerge|amix)/)?.stream.channels ?? ''];
  const delays = (optionValue(filter, 'delays') ?? '').split('|').length;
  const isAll = ['1', 'true'].includes(optionValue(filter, 'all') ?? '0');
  if (filter.name !== 'adelay' || channels === undefined || isAll || delays >= channels) return undefined;
  return {
    code: 'NO_EFFECT',
    message: `The filter adelay delays only ${delays} of ${channels} channels: it needs a time for each, separated by "|".`,
    fix: withFilter(facts, graph, filter, printChanged(filter, { all: 1 })),
  };
};

const PICTURE_CODECS: ReadonlySet<string> = new Set(['mjpeg', 'png', 'bmp', 'gif', 'webp']);

/** Options that ask for the picture. */
const ASKS_FOR_PICTURE =
  /^-(?:map|filter_complex|filter:v|(?:c|b|q|crf|r|s|aspect|pix_fmt|profile|preset|tune|frames):?v?)$/;

/** Options that ask for the sound. */
const ASKS_FOR_SOUND = /^-(?:(?:c|b|q|filter|profile|ac|ar|sample_fmt):a(?::\d+)?|ac|ar|sample_fmt)$/;

/**
 * The whole film is in a file whose name says sound: the muxers of `.m4a`, `.wma` and `.ogg` hold video too, and ffmpeg fills
 * them. An `.ogg` is a film now and then, so only a request that speaks of the sound alone means it.
 */
export function videoInSoundFile(facts: MediaFacts, { outputStreams }: ForeseenPass): readonly RunWarning[] {
  const name = extension(facts.plan.output.path);
  const saysSound =
    /^(?:m4[ab]|wma)$/.test(name) || (name === 'ogg' && facts.argv.some((word) => ASKS_FOR_SOUND.test(word)));
  if (!saysSound) return [];
  const asks = facts.argv.some(
    (word, at) => ASKS_FOR_PICTURE.test(word) && !(word === '-c' && facts.argv[at + 1] === 'copy'),
  );
  const film = outputStreams.find(
    ({ type, codec, disposition }) =>
      type === 'video' && !PICTURE_CODECS.has(codec) && disposition?.includes('attached_pic') !== true,
  );
  if (asks || film === undefined || !outputStreams.some(({ type }) => type === 'audio')) return [];
  return [
    {
      field: '/output',
      code: 'VIDEO_IN_SOUND_FILE',
      message: `The output has the video (${film.codec}) too, although its name says sound: ffmpeg puts it into ".${name}" unless the request leaves it out.`,
      fix: { ...addOption('vn', ''), why: 'this leaves the video out' },
    },
  ];
}

/** A cover became a film of one picture. */
export function coverAsVideo(facts: MediaFacts, { used, outputStreams }: ForeseenPass): readonly RunWarning[] {
  for (const { input, stream, output, copied } of used) {
    const from = inputStream(facts, input, stream);
    const to = outputStreams.find(({ index }) => index === output);
    const isCover = from?.disposition?.includes('attached_pic') === true;
    const hasSound = outputStreams.some(({ type }) => type === 'audio');
    if (!isCover || copied || to === undefined || !hasSound || PICTURE_CODECS.has(to.codec)) continue;
    return [
      {
        code: 'COVER_AS_VIDEO',
        message: `The cover of ${pathOf(facts, input)} became a video stream (${to.codec}) of one picture.`,
        fix: { ...addOption('vn', ''), why: 'this leaves the cover out' },
      },
    ];
  }
  return [];
}

/** Filters that can convert the light of HDR. */
const TONES = /(?:^|[;,\]=])(?:tonemap|zscale|libplacebo|colorspace|lut3d|colorlevels)\b/;

/** Pixel formats of more than 8 bits. */
const DEEP = /(?:10|12|16)(?:le|be)$|^p01[06]/;

/** HDR became SDR without tone mapping, so its colours are pale. */
export function lostHdr(facts: MediaFacts, { used, outputStreams }: FinishedPass): readonly RunWarning[] {
  if (facts.argv.some((word) => TONES.test(word))) return [];
  const pictures = outputStreams.filter(({ type }) => type === 'video');
  for (const { input, stream, output, copied } of used) {
    const transfer = facts.inputs[input]?.transfers?.get(stream);
    // A stream that a complex graph reads reaches any of the outputs.
    const to = output === undefined ? pictures : pictures.filter(({ index }) => index === output);
    const isShallow = to.some(({ pixelFormat }) => pixelFormat !== undefined && !DEEP.test(pixelFormat));
    if (transfer === undefined || copied || !isShallow) continue;
    return [
      {
        code: 'HDR_LOST',
        message: `${pathOf(facts, input)} is HDR (${transfer}), and the output has 8 bits without tone mapping, so its colours look pale.`,
        fix:
          output === undefined
            ? `Send the filters ${JSON.stringify(toneMapping())} before the others.`
            : sendOption('vf', toneMapping()),
      },
    ];
  }
  return [];
}

/** Several streams of a kind are the default, because the input had one already. */
export function severalDefaults(facts: MediaFacts, { outputStreams }: FinishedPass): readonly RunWarning[] {
  return (['video', 'audio', 'subtitle'] as const).flatMap((kind) => {
    const letter = kind.charAt(0);
    const all = outputStreams.filter(({ type }) => type === kind);
    const defaults = all.flatMap(({ disposition }, number) => (disposition?.includes('default') ? [number] : []));
    const asked = defaults.find((number) => argumentOf(facts, `disposition:${letter}:${number}`)?.includes('default'));
    const others = defaults.filter((number) => argumentOf(facts, `disposition:${letter}:${number}`) === undefined);
    const [other] = others;
    if (asked === undefined || other === undefined) return [];
    const field = fieldOf(facts, `disposition:${letter}:${asked}`);
    return [
      {
        ...(field === undefined ? {} : { field }),
        code: 'NO_EFFECT' as const,
        message: `"disposition:${letter}:${asked}" makes this stream the default, but ${letter}:${other} is the default too, so players may choose that one.`,
        fix: { edits: others.map((number) => ({ do: 'add', name: `disposition:${letter}:${number}`, value: '0' })) },
      },
    ];
  });
}

/** The most macroblocks in a picture and in a second, by levels of H.264 (Table A-1 of the standard). */
const LEVELS: Readonly<Record<string, readonly [picture: number, second: number]>> = {
  '1': [99, 1485],
  '1.1': [396, 3000],
  '1.2': [396, 6000],
  '1.3': [396, 11_880],
  '2': [396, 11_880],
  '2.1': [792, 19_800],
  '2.2': [1620, 20_250],
  '3': [1620, 40_500],
  '3.1': [3600, 108_000],
  '3.2': [5120, 216_000],
  '4': [8192, 245_760],
  '4.1': [8192, 245_760],
  '4.2': [8704, 522_240],
  '5': [22_080, 589_824],
  '5.1': [36_864, 983_040],
  '5.2': [36_864, 2_073_600],
};

/** The level of H.264 that was asked for allows no such pictures, and the file names it all the same. */
export function exceededLevel(facts: MediaFacts, { complaints, outputStreams }: FinishedPass): readonly RunWarning[] {
  const picture = outputStreams.find(({ type }) => type === 'video');
  const key = ['level', 'level:v'].find((name) => argumentOf(facts, name) !== undefined);
  if (!complaints.exceedsLevel || key === undefined || picture?.width === undefined || picture.height === undefined)
    return [];
  const level = (argumentOf(facts, key) ?? '').replace(/^(\d)(\d)$/, '$1.$2').replace(/\.0$/, '');
  const blocks = (width: number, height: number): number => Math.ceil(width / 16) * Math.ceil(height / 16);
  const count = blocks(picture.width, picture.height);
  const rate = count * (picture.fps ?? 25);
  const needed = Object.keys(LEVELS).find((one) => count <= (LEVELS[one]?.[0] ?? 0) && rate <= (LEVELS[one]?.[1] ?? 0));
  const field = fieldOf(facts, key);
  const name = sentNameOf(facts, key);
  const larger = needed === undefined ? leaveOut(name) : sendOption(name, needed);
  const smaller = smallerPicture(picture, LEVELS[level]);
  return [
    {
      ...(field === undefined ? {} : { field }),
      code: 'LEVEL_EXCEEDED',
      message: `The level ${level} of H.264 does not allow ${picture.width}x${picture.height} with ${picture.fps ?? 25} frames per second and these settings: the file only claims it.`,
      fix: smaller === undefined ? larger : orElse(addOption('vf', smaller), larger),
    },
  ];
}

/** Filters that make a size and a rate which a level allows. undefined if nothing has to change, or no usual size fits. */
function smallerPicture(
  { width = 0, height = 0, fps = 25 }: FinishedPass['outputStreams'][number],
  limits: readonly [picture: number, second: number] | undefined,
): string | undefined {
  if (limits === undefined) return undefined;
  const heights = [1080, 720, 576, 480, 360, 288, 240, 144].filter((one) => one <= height);
  const fitting = heights.find((one) => Math.ceil(((width / height) * one) / 16) * Math.ceil(one / 16) <= limits[0]);
  if (fitting === undefined) return undefined;
  const most = limits[1] / (Math.ceil(((width / height) * fitting) / 16) * Math.ceil(fitting / 16));
  const rate = fps <= most ? undefined : [60, 50, 30, 25, 24, 15].find((one) => one <= most);
  const filters = [
    ...(fitting === height ? [] : [`scale=-2:${fitting}`]),
    ...(rate === undefined ? [] : [`fps=${rate}`]),
  ];
  return filters.length === 0 ? undefined : filters.join(',');
}
