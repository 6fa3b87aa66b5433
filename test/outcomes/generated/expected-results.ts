import type { ConversionRequest } from '../../../packages/contract/src/domain/conversion.ts';
import type { ArgumentValue, Recipe, RecipeResult } from '../../../packages/contract/src/domain/recipe.ts';
import { BUILT_IN } from '../../../packages/service/src/recipes/built-in/all.ts';
import type { SeededChoices } from '../../faults/soak/seeded-choices.ts';
import { RATES, type Source, type SourceKind } from './sources.ts';

/** How a result comes from its source: what is not named is lost on purpose. */
export interface ExpectedResult {
  readonly keeps: ReadonlySet<RecipeResult['keeps'][number]>;
  readonly changes: ReadonlySet<NonNullable<RecipeResult['changes']>[number]>;
  readonly times: NonNullable<RecipeResult['times']>;
  /** The time of the source that is shown and heard at a time of the result, in seconds. */
  readonly sourceTime: (time: number) => number;
  readonly seconds: number;
  /** Frames per second, if it is not the rate of the source. */
  readonly fps?: number;
  /** How much earlier the moment of a frame may be, in seconds. */
  readonly late: number;
  /** How exactly times hold, in seconds. */
  readonly slack: number;
  /** The quarter turns clockwise that the request asks for. */
  readonly turns: number;
  readonly holdsLanguages: boolean;
  /** A JPEG is on white. */
  readonly isOpaque: boolean;
}

export interface GeneratedRequest {
  readonly kind: string;
  readonly request: ConversionRequest;
  readonly expected: ExpectedResult;
}

type Arguments = Readonly<Record<string, ArgumentValue>>;

interface Kind {
  readonly needs: SourceKind | 'heard';
  readonly outputs: readonly string[];
  readonly result: RecipeResult;
  readonly make: (
    source: Source,
    chance: SeededChoices,
  ) => {
    /** What the times follow from, by the names of the arguments of recipes. */
    readonly by: Arguments;
    readonly request: Partial<ConversionRequest>;
  };
}

const hundredths = (time: number): number => Math.round(time * 100) / 100;

/** Arguments that differ from the defaults: required ones, small sizes, and values at which the source can be recognised. */
const ARGUMENTS: Readonly<Record<string, Arguments>> = {
  'blur-region': { x: 0, y: 0, width: 32, height: 32 },
  'change-volume': { decibels: -3 },
  'text-overlay': { text: 'A' },
  'target-size': { size: 0.4 },
  audiogram: { width: 160, height: 96 },
  crop: { width: 96, height: 64 },
  deinterlace: { frames: 'pair' },
  fade: { seconds: 0.1 },
  letterbox: { width: 320, height: 240 },
  resize: { height: 144 },
  vertical: { height: 320 },
};
const TURNS: Readonly<Record<string, number>> = { right: 1, half: 2, left: 3 };

function drawArguments({ name, arguments: own }: Recipe, source: Source, chance: SeededChoices): Arguments {
  const start = hundredths(chance.between(0, 1));
  const drawn: Arguments = {
    start,
    end: hundredths(chance.between(start + 0.4, source.seconds)),
    length: 0.8,
    factor: 2,
    at: hundredths(chance.between(0, source.seconds - 0.1)),
    by: chance.pick({ right: 1, half: 1, left: 1 }),
    ...(name === 'frame-rate' ? { fps: 12 } : 'length' in own && { fps: 10 }),
  };
  const fitting = Object.entries(drawn).filter(([argument]) => argument in own);
  return { ...Object.fromEntries(fitting), ...ARGUMENTS[name] };
}

/** Recipes that the generator cannot judge, with the reason. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  'animated-webp': 'ffmpeg cannot decode animated WebP.',
  'animated-avif': 'ffmpeg 5.1 cannot read AVIF.',
  'hdr-to-sdr': 'It rejects sources without HDR.',
};
const NEEDS: Readonly<Record<string, Kind['needs']>> = {
  film: 'film',
  media: 'film',
  sound: 'heard',
  picture: 'picture',
};

/** The recipes that convert one video, audio file or image. */
const recipes = BUILT_IN.flatMap((recipe): readonly (readonly [string, Kind])[] => {
  const { name, inputs, outputs, result } = recipe;
  const needed = inputs.filter(({ optional }) => optional !== true);
  const needs = NEEDS[needed[0]?.role ?? ''];
  if (needs === undefined || needed.length !== 1 || name in LEFT_OUT) return [];
  if (result === undefined || result.incomparable !== undefined || /joined|pieces/.test(result.times ?? '')) return [];
  const make: Kind['make'] = (source, chance) => {
    const by = drawArguments(recipe, source, chance);
    return { by, request: { preset: { name, arguments: by } } };
  };
  return [[name, { needs, outputs, result, make }]];
});

const WHOLE: RecipeResult = { keeps: ['picture', 'sound', 'languages', 'chapters', 'tags'] };
const FILMS = ['mp4', 'mkv', 'mov'] as const;
const plain = (
  parameters: Readonly<Record<string, string>>,
  result: Partial<RecipeResult> = {},
  outputs: readonly string[] = FILMS,
  by: Arguments = {},
): Kind => ({
  needs: 'film',
  outputs,
  result: { ...WHOLE, ...result },
  make: () => ({ by, request: { parameters } }),
});
const PART = { keeps: ['picture', 'sound', 'languages', 'tags'], times: 'part' } as const satisfies RecipeResult;
const COPY = ['picture', 'sound', 'all-sound', 'languages', 'subtitles', 'chapters', 'tags'] as const;

/** Requests without a recipe that people often send. */
const plains: Readonly<Record<string, Kind>> = {
  plain: plain({}, {}, [...FILMS, 'webm']),
  copy: plain({ c: 'copy', map: '0' }, { keeps: COPY }, ['mkv', 'mp4', 'mov', 'ts']),
  scale: plain({ vf: 'scale=-2:120' }, { changes: ['size'] }),
  'plain-crop': plain({ vf: 'crop=iw/2:ih' }, { changes: ['shape'] }),
  transpose: plain({ vf: 'transpose=1' }, { changes: ['orientation'] }, FILMS, { by: 'right' }),
  r: plain({ r: '15' }, { changes: ['frame-rate'] }, FILMS, { fps: 15 }),
  ac: plain({ ac: '1', 'c:v': 'copy' }, {}, ['mkv', 'mp4']),
  'audio-only': {
    ...plain({ vn: '' }, { keeps: ['sound', 'languages', 'chapters', 'tags'] }, ['m4a', 'mp3', 'flac', 'wav', 'ogg']),
    needs: 'heard',
  },
  ss: {
    ...plain({}, PART),
    make: (source, chance) => {
      const [start, length] = [hundredths(chance.between(0, 1)), 0.6];
      const request = { inputs: [{ input: source.path, parameters: { ss: `${start}`, t: `${length}` } }] };
      return { by: { start, length }, request: request as Partial<ConversionRequest> };
    },
  },
  to: {
    ...plain({}, PART),
    make: (source, chance) => {
      const [start, end] = [hundredths(chance.between(0, 1)), hundredths(source.seconds - 0.3)];
      return { by: { start, end }, request: { parameters: { ss: `${start}`, to: `${end}` } } };
    },
  },
  outputs: {
    ...plain({}),
    make: (source) => ({
      by: {},
      request: {
        parameters: {},
        outputs: [{ output: `results/${source.path}-a.mp4` }, { output: `results/${source.path}-b.mkv` }],
      } as Partial<ConversionRequest>,
    }),
  },
};

export const KINDS: Readonly<Record<string, Kind>> = { ...Object.fromEntries(recipes), ...plains };

/** Whether a source has what a kind of requests needs. */
const fits = ({ needs }: Kind, { kind, audio }: Source): boolean =>
  needs === 'heard' ? audio.length > 0 : needs === kind;

/** The kinds of requests about a source. */
export const kindsFor = (source: Source): readonly string[] =>
  Object.entries(KINDS).flatMap(([name, kind]) => (fits(kind, source) ? [name] : []));

/** Draws a request of a kind about a source. */
export function drawRequest(chance: SeededChoices, source: Source, number: number, name: string): GeneratedRequest {
  const kind = KINDS[name];
  if (kind === undefined || !fits(kind, source)) throw new Error(`The kind ${name} does not fit ${source.path}.`);
  const isFilm = source.kind === 'film' && kind.result.keeps.includes('picture');
  const fitting = kind.outputs.filter((one) => !isFilm || !AUDIO_FILES.test(one));
  const extension = chance.pick(Object.fromEntries(fitting.map((one) => [one, 1])));
  const { by, request } = kind.make(source, chance);
  const folder = /m3u8|mpd/.test(extension) ? `${number}/` : '';
  const file = `${folder}${number}-${name}${name === 'hls' ? '_%v' : ''}`;
  return {
    kind: name,
    request: {
      ...(request.inputs === undefined && { input: source.path }),
      ...(request.outputs === undefined && { output: `results/${file}.${extension}` }),
      ...request,
    } as ConversionRequest,
    expected: {
      ...expectResult(source, kind.result, by),
      holdsLanguages: !NAMELESS.test(extension),
      isOpaque: extension === 'jpg',
    },
  };
}

/** Files in which ffmpeg writes no languages of tracks. */
const NAMELESS = /^(?:mp3|wav|flac|ogg|opus|avi|mxf)$/;
const AUDIO_FILES = /^(?:mp3|m4a|m4b|wav|flac|ogg|opus)$/;

/** A packet of sound, which AAC may have before its start, and the rounding of containers. */
const SLACK = 0.024;

/** What a declared result means for a source. `by`: the arguments of which the times follow. */
function expectResult(
  source: Source,
  result: RecipeResult,
  by: Arguments,
): Omit<ExpectedResult, 'holdsLanguages' | 'isOpaque'> {
  const { seconds } = source;
  const { times = 'same', keeps, changes = [] } = result;
  const numberOf = (name: string, usual: number): number => Number(by[name] ?? usual);
  const start = numberOf('start', 0);
  const end = Math.min(seconds, 'length' in by ? start + numberOf('length', 0) : numberOf('end', seconds));
  const factor = numberOf('factor', 2);
  const fps = changes.includes('frame-rate') && 'fps' in by ? numberOf('fps', 25) : undefined;
  // A constant rate may show frames half of one earlier or later, and for a varying rate ffmpeg 5.1 a whole one.
  const slack = SLACK + (source.rate === 'gaps' ? 1 : 0.5) / (fps ?? RATES[source.rate]);
  const usual = { sourceTime: (time: number) => time, seconds };
  const mapped: Partial<Record<ExpectedResult['times'], Pick<ExpectedResult, 'sourceTime' | 'seconds'>>> = {
    part: { sourceTime: (time) => start + time, seconds: end - start },
    'part-from-key-frame': { sourceTime: (time) => start + time, seconds: end - start },
    speed: { sourceTime: (time) => factor * time, seconds: seconds / factor },
    reversed: { sourceTime: (time) => seconds - time, seconds },
    repeated: { sourceTime: (time) => time % seconds, seconds: 2 * seconds },
    still: { sourceTime: () => numberOf('at', 0), seconds: 0 },
  };
  return {
    ...(mapped[times] ?? usual),
    ...{ keeps: new Set(keeps), changes: new Set(changes), times },
    ...(fps !== undefined && { fps }),
    // At another frame rate, a frame of the result may be of the moment before.
    late: fps === undefined ? slack : 1 / fps,
    slack,
    turns: changes.includes('orientation') ? (TURNS[String(by['by'])] ?? 0) : 0,
  };
}
