import { orElse, sendOption } from '@telecine/contract/domain/edit.ts';
import { JOIN_OR_MAP, joiningFix } from '@telecine/contract/domain/join.ts';
import { extension } from '@telecine/contract/domain/media-path.ts';
import { holdsNoAudio, holdsNoVideo } from '../../allowlist/containers.ts';
import { type CodecKind, componentOf, STREAM_KINDS } from '../../catalogue/catalogue.ts';
import { walkOf } from '../../filtergraph/graph.ts';
import { type ArgvOption, allFilters, mapsOf, sentName } from '../../plan/request/argv-option.ts';
import { isVideoExtension, withCounter } from '../../plan/request/format-names.ts';
import type { ArgvInput } from '../../plan/request/resolve-inputs.ts';
import { readRate } from '../../values/rate.ts';
import { quoted } from '../../values/value-error.ts';
import { type Finding, noEffect, type RequestContext, type Rules, unusedInput, unusualValue } from '../rule.ts';
import { isFileOf, playedKind } from './formats.ts';

const isVideoFile = ({ source, duration }: ArgvInput): boolean =>
  duration === undefined && isVideoExtension(extension(source.path));

/** Returns the kind of stream that a map selects: `v` for `0:v:0` and for `[v]` of a video filter. undefined: unclear, or all kinds. */
function mappedLetter({ options, catalogue }: RequestContext, map: string): string | undefined {
  const label = /^\[(.+)\]$/.exec(map)?.[1];
  if (label === undefined) return /^(?:\d+:)?([vVasdt])(?=[:?]|$)/.exec(map)?.[1]?.toLowerCase();
  const graphs = options.flatMap(({ checkedGraphs = [] }) => checkedGraphs);
  const producer = graphs.map((graph) => walkOf(graph).producers.get(label)).find((one) => one !== undefined);
  const pads = producer && componentOf(catalogue, 'filter', producer.name)?.outputs;
  if (producer === undefined || pads === undefined || pads === 'dynamic') return undefined;
  return pads[producer.outputs.indexOf(label)]?.media.charAt(0);
}

const kindOf = (option: ArgvOption): CodecKind | undefined =>
  /^c:s(?::|$)/.test(option.key) ? 'subtitle' : playedKind(option);

/** Filters that make one image of a whole input. */
const ONE_IMAGE: ReadonlySet<string> = new Set(['palettegen', 'showwavespic', 'showspectrumpic']);

/** How many images per second ffmpeg reads without `framerate`. */
const DEFAULT_RATE = 25;

/** Encoders that reject an odd width or height, unless the colours have the full resolution. */
const EVEN_SIZE_ENCODERS: ReadonlySet<string> = new Set(['libx264', 'libx265']);
/** Matches pixel formats whose colours have the full resolution. */
const FULL_CHROMA = /^\+?(?:yuv[aj]?444|gbr|rgb|bgr|gray)/;
const SIZE = /^(\d{1,5})x(\d{1,5})$/;
/** Captures the size of the last `scale` of a graph, if it has numbers. A later `crop` or `pad` may correct an odd size. */
const SCALE = /(?:^|,)scale=(?:w=)?(-?\d{1,5}):(?:h=)?(-?\d{1,5})(?=[:,]|$)(?!.*(?:scale|crop|pad))/;

export const STREAM_RULES: Rules = {
  'unused-inputs': {
    finds: 'an input of which nothing gets into the output',
    plan({ options, opened }) {
      if (options.some(({ name }) => name.name === 'filter_complex' || name.name === 'map')) return [];
      const [, ...videos] = opened.filter(isVideoFile);
      const joining = joiningFix({
        copies: options.some(({ name, values }) => name.name === 'c' && values.at(-1) === 'copy'),
        dropped: options.filter(({ key }) => key === 'shortest').map(sentName),
      });
      return videos.map(({ source }) =>
        unusedInput(
          'ffmpeg does not join several inputs by itself: it takes the best video and the best audio stream of all.',
          opened.every(isVideoFile) ? joining : JOIN_OR_MAP,
          { field: source.field },
        ),
      );
    },
  },

  /** With a `map`, ffmpeg selects no other streams: in a request with `c:a` and `"map": "[v]"`, the audio is lost. */
  'unmapped-stream-kinds': {
    finds: 'options for a kind of stream that no `map` selects',
    plan(context) {
      const { options, opened, muxer, isOwn } = context;
      const map = options.find(({ name }) => name.name === 'map');
      const values = mapsOf(options);
      const letters = values.filter((value) => !value.startsWith('-')).map((value) => mappedLetter(context, value));
      if (map === undefined || letters.length === 0 || letters.includes(undefined)) return [];
      return STREAM_KINDS.flatMap((kind) => {
        const letter = kind.charAt(0);
        const isHeld = kind === 'video' ? !holdsNoVideo(muxer) : kind !== 'audio' || !holdsNoAudio(muxer);
        const sent = options.filter((option) => kindOf(option) === kind && isOwn(option));
        const isRemoved = options.some(({ key }) => key === `${letter}n`);
        if (letters.includes(letter) || !isHeld || sent.length === 0 || isRemoved) return [];
        const names = [...new Set(sent.map(sentName))];
        const wanted = kind === 'subtitle' ? 'subtitles' : kind;
        const input = Math.max(
          0,
          opened.findIndex(({ source }) => isFileOf(wanted, source.path)),
        );
        return noEffect(
          `${names.map((name) => `"${name}"`).join(' and ')} ${sent.length === 1 ? 'has' : 'have'} no effect: "map" selects no ${wanted}, and ffmpeg takes only what a map selects.`,
          orElse(sendOption(sentName(map), [...values, `${input}:${letter}?`]), 'leave these options out'),
          { field: map.field, options: sent.map(({ field }) => field) },
        );
      });
    },
  },

  /** This service adds `update`, so each frame overwrites the image. Plain ffmpeg fails at the second frame. */
  'last-frame-only': {
    finds: 'a video that becomes one image, so that only its last frame is kept',
    plan({ options, opened, singleImage }) {
      const isVideo = opened.some((one) => one.source.sequence !== undefined || isVideoFile(one));
      const frames = options.find(({ name }) => name.name === 'frames');
      const isOne = frames !== undefined && !(Number(frames.values[0]) > 1);
      // With `update`, the client asks for exactly this.
      const isChosen = isOne || options.some(({ name }) => name.name === 'update');
      if (singleImage === undefined || !isVideo || isChosen) return [];
      if (allFilters(options).some(({ name }) => ONE_IMAGE.has(name))) return [];
      return [
        {
          field: '/output',
          code: 'LAST_FRAME',
          message: 'The output is one image: of all frames of the input, only the last is kept.',
          fix: `Send "frames:v": "1" for the first frame, with "ss" for a later one. For all frames, send an output with a counter: ${quoted(withCounter(singleImage))}.`,
        },
      ];
    },
  },

  'sequence-frame-rate': {
    finds: '`r` for an image sequence, which ffmpeg reads at 25 images per second all the same',
    plan({ options, opened: [only, ...others] }) {
      const rate = options.find(({ key }) => key === 'r');
      const value = rate?.values[0] ?? '';
      const number = readRate(value);
      if (only?.source.sequence === undefined || others.length > 0 || rate === undefined || number === undefined)
        return [];
      const hasRate = only.options.some(({ name }) => name.name === 'framerate' || name.name === 'r');
      if (hasRate || Math.abs(number - DEFAULT_RATE) < 0.1) return [];
      return [
        unusualValue(
          `"r" is the frame rate of the output: the images are read at ${DEFAULT_RATE} per second, and most are ${number < DEFAULT_RATE ? 'left out' : 'repeated'}.`,
          sendOption('framerate', value),
          { field: rate.field },
        ),
      ];
    },
  },

  'odd-dimensions': {
    finds: 'a size with an odd width or height, which libx264 and libx265 reject',
    plan({ options, encoders }) {
      const affected = encoders.of('v').find(({ encoder = '' }) => EVEN_SIZE_ENCODERS.has(encoder))?.encoder;
      const hasFullChroma = options.some(
        ({ name, values }) => name.name === 'pix_fmt' && FULL_CHROMA.test(values[0] ?? ''),
      );
      if (affected === undefined || hasFullChroma) return [];
      return options.flatMap((option): readonly Finding[] => {
        const { key, name, values } = option;
        const isGraph = name.name === 'filter' && !/^a/.test(name.specifier ?? '');
        const pattern = name.name === 's' ? SIZE : isGraph ? SCALE : undefined;
        const sides = pattern?.exec(values[0] ?? '')?.slice(1) ?? [];
        // -1 is odd and counts: it keeps the aspect ratio, and the side that ffmpeg computes may be odd.
        if (sides.every((side) => Number(side) % 2 === 0)) return [];
        return [
          {
            field: option.field,
            code: 'ODD_SIZE',
            message: `"${key}" ${sides.includes('-1') ? 'can result in' : 'results in'} an odd width or height, which ${affected} rejects with yuv420p.`,
            fix: 'Send an even width and height, or -2 instead of -1 for an even one: "scale=640:-2".',
          },
        ];
      });
    },
  },
};
