import type { ConversionRequest } from '../../../packages/contract/src/domain/conversion.ts';
import type { SeededChoices } from '../../faults/soak/seeded-choices.ts';
import type { Container, Source } from './sources.ts';

/** How a result comes from its source: what is not named is lost on purpose. */
export interface ExpectedResult {
  /** The time of the source that is shown and heard at a time of the result, in seconds. */
  readonly sourceTime: (time: number) => number;
  readonly seconds: number;
  /** `every`: each frame of the source. A number: frames per second at another rate. Absent: no picture. */
  readonly picture?: 'every' | number;
  /** The tracks of the source that the result has, in order. */
  readonly tracks: readonly number[];
  /** Whether subtitles, chapters and the title are wanted. */
  readonly keeps: ReadonlySet<'subtitles' | 'chapters' | 'title'>;
  /** How exactly times hold, in seconds: copies begin at packets. */
  readonly slack: number;
  /** The quarter turns clockwise that the request asks for. */
  readonly turns?: number;
}

export interface GeneratedRequest {
  readonly request: ConversionRequest;
  readonly expected: ExpectedResult;
}

/** Half a frame at 50 per second, and the rounding of containers. */
const EXACT = 0.012;
/** Copies begin and end at packets of sound and at frames. */
const PACKET = 0.06;
const ALL = new Set(['subtitles', 'chapters', 'title'] as const);

interface Kind {
  readonly outputs: readonly (Container | 'gif' | 'mp3' | 'm4a' | 'flac' | 'wav')[];
  readonly needs?: 'sound';
  readonly make: (
    source: Source,
    chance: SeededChoices,
  ) => Omit<ExpectedResult, 'keeps'> & {
    readonly preset?: { readonly name: string; readonly arguments?: Readonly<Record<string, string | number>> };
    readonly parameters?: Readonly<Record<string, string>>;
    readonly keeps?: ExpectedResult['keeps'];
  };
}

const same = (time: number): number => time;
const allTracks = ({ audio }: Source): readonly number[] => audio.map((_, track) => track);
/** Without a map, ffmpeg takes the default track, which is the first. Without a default track, it takes the one with most channels. */
const bestTrack = ({ audio, container }: Source): readonly number[] => {
  if (audio.length > 0 && container !== 'ts' && container !== 'avi') return [0];
  const most = Math.max(...audio.map(({ channels }) => channels));
  return audio.length === 0 ? [] : [audio.findIndex(({ channels }) => channels === most)];
};

/** The whole source, encoded. */
const encoded = (source: Source) =>
  ({ sourceTime: same, seconds: source.seconds, picture: 'every', tracks: bestTrack(source), slack: EXACT }) as const;

/** The whole source, copied. */
const copied = (source: Source) => ({ ...encoded(source), tracks: allTracks(source), slack: PACKET });

const encoding = (name: string, outputs: Kind['outputs']): Kind => ({
  outputs,
  make: (source) => ({ ...encoded(source), preset: { name } }),
});

const copying = (name: string, outputs: Kind['outputs']): Kind => ({
  outputs,
  make: (source) => ({ ...copied(source), preset: { name } }),
});

const sound = (name: string, outputs: Kind['outputs']): Kind => ({
  outputs,
  needs: 'sound',
  make: (source) => ({
    preset: { name },
    sourceTime: same,
    seconds: source.seconds,
    tracks: bestTrack(source),
    keeps: new Set(['title']),
    slack: PACKET,
  }),
});

/** What people ask for, and what they then expect. */
export const KINDS: Readonly<Record<string, Kind>> = {
  'web-h264': encoding('web-h264', ['mp4', 'mkv']),
  'web-vp9': encoding('web-vp9', ['webm']),
  resize: encoding('resize', ['mp4']),
  compress: encoding('compress', ['mp4']),
  'change-container': copying('change-container', ['mkv', 'mp4', 'mov']),
  'fast-start': copying('fast-start', ['mp4', 'mov']),
  mp3: sound('mp3', ['mp3']),
  m4a: sound('m4a', ['m4a']),
  flac: sound('flac', ['flac']),
  wav: sound('wav', ['wav']),
  'remove-audio': {
    outputs: ['mp4', 'mkv'],
    make: (source) => ({ ...copied(source), preset: { name: 'remove-audio' }, tracks: [] }),
  },
  trim: {
    outputs: ['mp4', 'mkv'],
    make: (source, chance) => {
      const start = Math.round(chance.between(0, 1) * 100) / 100;
      const end = Math.round(chance.between(start + 0.4, source.seconds) * 100) / 100;
      return {
        ...encoded(source),
        preset: { name: 'trim', arguments: { start, end } },
        sourceTime: (time) => start + time,
        seconds: end - start,
        keeps: new Set(['title']),
      };
    },
  },
  speed: {
    outputs: ['mp4'],
    make: (source) => ({
      ...encoded(source),
      preset: { name: 'speed', arguments: { factor: 2 } },
      sourceTime: (time) => 2 * time,
      seconds: source.seconds / 2,
      picture: 25,
      // The sound keeps its pitch, so that its frequency tells no time.
      tracks: [],
      keeps: new Set(['title']),
    }),
  },
  gif: {
    outputs: ['gif'],
    make: (_source, chance) => {
      const start = Math.round(chance.between(0, 1) * 100) / 100;
      return {
        preset: { name: 'gif', arguments: { start, length: 0.8, fps: 10 } },
        sourceTime: (time) => start + time,
        seconds: 0.8,
        picture: 10,
        tracks: [],
        keeps: new Set(),
        slack: 0.06,
      };
    },
  },
  rotate: {
    outputs: ['mp4'],
    make: (source) => ({
      ...encoded(source),
      preset: { name: 'rotate', arguments: { by: 'right' } },
      turns: 1,
    }),
  },
  copy: {
    outputs: ['mkv', 'mp4', 'mov', 'ts'],
    make: (source) => ({ ...copied(source), parameters: { c: 'copy', map: '0' } }),
  },
  plain: {
    outputs: ['mp4', 'mkv', 'mov', 'webm'],
    make: (source) => ({ ...encoded(source), parameters: {}, keeps: new Set(['chapters', 'title']) }),
  },
};

/** Draws a request about a source. */
export function drawRequest(chance: SeededChoices, source: Source, number: number): GeneratedRequest {
  const fitting = Object.entries(KINDS).filter(([, { needs }]) => needs === undefined || source.audio.length > 0);
  const name = chance.pick(Object.fromEntries(fitting.map(([one]) => [one, 1])));
  const kind = KINDS[name] as Kind;
  const extension = chance.pick(Object.fromEntries(kind.outputs.map((one) => [one, 1])));
  const { preset, parameters, keeps = ALL, ...expected } = kind.make(source, chance);
  return {
    request: {
      input: source.path,
      output: `results/${number}-${name}.${extension}`,
      ...(preset && { preset }),
      ...(parameters && { parameters }),
    } as ConversionRequest,
    expected: { ...expected, keeps },
  };
}
