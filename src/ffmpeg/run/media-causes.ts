import type { Failure } from '../../domain/failure.ts';
import { printFilter, printLabel } from '../filtergraph/print.ts';
import { sendOption } from '../values/value-error.ts';
import { RATES, RESIZING, TIMES } from './filter-effects.ts';
import { printChanged, replacingFix, withFilter } from './graph-fixes.ts';
import {
  type ArgvGraph,
  contentOf,
  kindOf,
  type MediaFacts,
  matchingStreams,
  optionValue,
  pathOf,
  pictureSize,
  type Source,
  secondsIn,
  secondsOf,
  secondsText,
  sentNameOf,
  sourceOf,
  streamsOf,
} from './media-facts.ts';

/** Explains one line of the log by what the run knows about its inputs. */
interface MediaRule {
  readonly shape: RegExp;
  /** undefined: the facts do not explain the line. */
  readonly explain: (match: RegExpExecArray, facts: MediaFacts) => Failure | undefined;
}

/** A failure whose fix is plain text. */
type MediaFailure = Failure & { readonly fix: string };

const failed = (code: Failure['code'], message: string, fix: string): MediaFailure => ({ code, message, fix });

/** Rows are tried in order, each on all lines. They explain better what rules without facts explain too. */
const MEDIA_RULES: readonly MediaRule[] = [
  {
    shape: /^Stream specifier ':?([\w:#]{0,40})' in filtergraph description .{1,20000} matches no streams\.$/,
    explain: (_match, facts) => absentLabel(facts),
  },
  {
    shape: /^Stream map '([\w:?.[\] -]{1,60})' matches no streams/,
    explain: ([, map = ''], facts) => absentMap(map, facts),
  },
  {
    // Since ffmpeg 7, the line about the map contains its value here.
    shape: /^Failed to set value '([\w:?.[\] -]{1,60})' for option 'map': Invalid argument$/,
    explain: ([, map = ''], facts) => absentMap(map, facts),
  },
  {
    shape: /^Output file (?:#\d+ )?does not contain any stream/,
    explain: (_match, facts) => noStreamForFormat(facts),
  },
  {
    shape: /^Invalid too big or non positive size for width '(-?\d+)' or height '(-?\d+)'$/,
    explain: ([, width, height], facts) => cropTooLarge(Number(width), Number(height), facts),
  },
  {
    shape: /^Padded dimensions cannot be smaller than input dimensions\.$/,
    explain: (_match, facts) => padTooSmall(facts),
  },
  {
    shape: /^Input (\d+) (height|width) (\d+) does not match input (\d+) (?:height|width) (\d+)\.$/,
    explain: ([, second, side, has, first, wanted], facts) =>
      stackedSizes(
        side === 'height' ? 'height' : 'width',
        { pad: Number(second), has },
        { pad: Number(first), wanted },
        facts,
      ),
  },
  {
    shape: /^Palette input must contain exactly 256 pixels\. Specified input has (\d+x\d+)=\d+ pixels$/,
    explain: ([, size], facts) => notAPalette(size ?? '', facts),
  },
  {
    shape: /^Unable to locate subtitle stream in (in\/[\w./%-]{1,100})$/,
    explain: ([, logical], facts) => absentSubtitles(logical ?? '', facts),
  },
  {
    shape: /^Invalid UTF-8 in decoded subtitles text; maybe missing -sub_charenc option$/,
    explain: (_match, facts) => notUtf8(facts),
  },
  {
    shape: /^(?:first pts (?:and dts )?value must be set|Can't write packet with unknown timestamp)$/,
    explain: (_match, facts) => noTimestamps(facts),
  },
  {
    shape: /^Codec '(\w+)' \(\d+\) is not supported by the bitstream filter '(\w+)'\. Supported codecs are: (\w+) /,
    explain: ([, codec, filter, wanted], facts) =>
      isAvi(facts)
        ? failed(
            'UNSUPPORTED',
            `The bitstream filter ${filter} does not accept the codec ${codec} of ${pathOf(facts, 0)}, only ${wanted}.`,
            `Leave the bitstream filter out, and send "fflags": "+genpts" with the input: ${inputFix(facts, 0, { fflags: '+genpts' })}.`,
          )
        : undefined,
  },
  {
    shape: /^Unsupported input (primaries|transfer characteristics|color space|colorspace) \d+ \(\w+\)$/,
    explain: ([, what], facts) => unknownColors('colorspace', what ?? '', facts),
  },
  {
    shape: /^code 3074: no path between colorspaces$/,
    explain: (_match, facts) => unknownColors('zscale', 'primaries, transfer or matrix', facts),
  },
  {
    shape: /^Cannot find a matching stream for unlabeled input pad (?:\d+ on filter Parsed_)?([a-z]\w*?)(?:_\d+)?$/,
    explain: ([, name = ''], facts) => tooManyInputs(name, facts),
  },
  {
    shape: /^Automatic encoder selection failed/,
    explain: (_match, facts) => videoInSoundFormat(facts) ?? soundInPictureFormat(facts),
  },
  {
    shape: /^Selected stream "(\d+)" not found!$/,
    explain: ([, stream = ''], facts) => absentSetStream(stream, facts),
  },
  {
    shape: /^Logo area is outside of the frame\.$/,
    explain: (_match, facts) => outsidePicture('delogo', facts),
  },
  {
    shape:
      /^No audio stream present\.$|^Invalid audio stream\. Exactly one \w+ audio stream is required\.$|^Could not write header/,
    explain: (_match, facts) => videoInSoundFormat(facts),
  },
];

/** The first rule that explains one of the lines. The lines must not be forged by media. */
export function explainByMedia(lines: readonly { readonly text: string }[], facts: MediaFacts): Failure | undefined {
  for (const { shape, explain } of MEDIA_RULES)
    for (const { text } of lines) {
      const match = shape.exec(text);
      const failure = match === null ? undefined : explain(match, facts);
      if (failure !== undefined) return failure;
    }
  return undefined;
}

/** An input with parameters, as a client sends it. */
const inputFix = ({ plan }: MediaFacts, input: number, parameters: Readonly<Record<string, string>>): string =>
  `"inputs": [${plan.inputs
    .map(({ path }, index) => (index === input ? JSON.stringify({ input: path, parameters }) : JSON.stringify(path)))
    .join(', ')}]`;

const NAMES = { video: 'video', audio: 'audio', subtitle: 'subtitles' } as const;

/** `has no audio`, `has 2 audio streams, and "0:a:5" is beyond them`. */
function lack(facts: MediaFacts, input: number, specifier: string): string {
  const kind = kindOf(specifier);
  const path = pathOf(facts, input);
  const content = contentOf(facts, input);
  if (kind === undefined) return `${path} has ${content}, and no stream "${specifier}"`;
  const { length } = streamsOf(facts, input, kind);
  if (length === 0) return `${path} has no ${NAMES[kind]}, only ${content}`;
  return `${path} has ${length} ${kind} ${length === 1 ? 'stream' : 'streams'}, and they count from 0`;
}

/** A label such as `[1:a]` that names a stream which its input does not have. */
function absentLabel(facts: MediaFacts): Failure | undefined {
  for (const graph of facts.graphs)
    for (const filter of graph.filters)
      for (const label of filter.inputs) {
        const [, number, specifier = ''] = /^(\d+):(.+)$/.exec(label) ?? [];
        const input = Number(number);
        if (number === undefined || facts.inputs[input] === undefined) continue;
        if (matchingStreams(facts, input, specifier)?.length !== 0) continue;
        return failed(
          'INPUT_INVALID',
          `The filtergraph uses [${label}], but ${lack(facts, input, specifier)}.`,
          absentLabelFix(facts, graph, filter.name, { label, input, specifier }),
        );
      }
  return undefined;
}

interface AbsentLabel {
  readonly label: string;
  readonly input: number;
  readonly specifier: string;
}

function absentLabelFix(
  facts: MediaFacts,
  graph: ArgvGraph,
  filter: string,
  { label, input, specifier }: AbsentLabel,
): string {
  const kind = kindOf(specifier);
  const length = kind === undefined ? 0 : streamsOf(facts, input, kind).length;
  if (kind !== undefined && length > 0) {
    const letter = specifier.charAt(0);
    const last = `${input}:${letter}:${length - 1}`;
    return replacingFix(facts, graph, '', label, last) ?? `Send [${last}] instead of [${label}].`;
  }
  if (kind === 'audio') {
    const others = facts.inputs.flatMap((_one, other) =>
      streamsOf(facts, other, 'audio').length > 0 ? [`${other}:a`] : [],
    );
    // Mixing with silence would make the other sound quieter.
    if (/^(?:amix|amerge)$/.test(filter) && graph.filters.length === 1 && others.length === 1)
      return `Leave "filter_complex" out, and send "map": ${JSON.stringify(mapsWithout(facts, graph, others[0] ?? ''))}.`;
    const seconds = secondsOf(facts, input);
    const end = seconds === undefined ? '' : `,atrim=end=${Number(seconds.toFixed(3))}`;
    const silence = `anullsrc=channel_layout=stereo:sample_rate=48000${end}[silence${input}];`;
    const fix = replacingFix(facts, graph, silence, label, `silence${input}`);
    return fix === undefined
      ? `Put "${silence}" before the graph, and use [silence${input}] instead of [${label}].`
      : `For silence instead: ${fix.charAt(0).toLowerCase()}${fix.slice(1)}`;
  }
  return `Leave the filters of [${label}] out, or send a file with ${kind === undefined ? 'that stream' : NAMES[kind]} as input ${input}.`;
}

/** The maps of the request, with `replacement` instead of the output of the graph. */
function mapsWithout({ argv }: MediaFacts, { filters }: ArgvGraph, replacement: string): readonly string[] {
  const outputs = new Set(filters.flatMap(({ outputs: labels }) => labels.map((label) => `[${label}]`)));
  const maps = argv.flatMap((word, index) => (word === '-map' ? [argv[index + 1] ?? ''] : []));
  return maps.length === 0 ? [replacement] : maps.map((map) => (outputs.has(map) ? replacement : map));
}

/** Languages with two codes in ISO 639-2: the one of the English name, and that of the language's own name. */
const LANGUAGE_TWINS = (
  'alb/sqi arm/hye baq/eus bur/mya chi/zho cze/ces dut/nld fre/fra geo/kat ger/deu gre/ell ice/isl mac/mkd mao/mri ' +
  'may/msa per/fas rum/ron slo/slk tib/bod wel/cym'
)
  .split(' ')
  .map((pair) => pair.split('/'));

/** The other code of a language. undefined if it has only one. */
function languageTwin(language: string): string | undefined {
  const code = language.toLowerCase();
  return LANGUAGE_TWINS.find((pair) => pair.includes(code))?.find((one) => one !== code);
}

/** A map that selects nothing. */
function absentMap(map: string, facts: MediaFacts): Failure | undefined {
  const [, number, specifier = ''] = /^(\d+)(?::(.*?))?\??$/.exec(map) ?? [];
  const input = Number(number);
  if (number === undefined || facts.inputs[input] === undefined) return undefined;
  const all = facts.inputs[input].streams;
  const language = /language:(\w+)/.exec(specifier)?.[1];
  if (language !== undefined) {
    const twin = languageTwin(language);
    const isThere = all.some(({ language: named }) => named !== undefined && named === twin);
    if (twin !== undefined && isThere)
      return failed(
        'INPUT_INVALID',
        `The map "${map}" selects nothing: ${pathOf(facts, input)} names this language "${twin}".`,
        `Send "map" with "${map.replace(`language:${language}`, `language:${twin}`)}" instead of "${map}".`,
      );
    const known = [...new Set(all.flatMap((stream) => (stream.language === undefined ? [] : [stream.language])))];
    const kind = kindOf(specifier);
    const plain = kind === undefined ? `${input}` : `${input}:${specifier.charAt(0)}`;
    return failed(
      'INPUT_INVALID',
      `The map "${map}" selects nothing: ${pathOf(facts, input)} names ${known.length === 0 ? 'no languages' : `only the languages ${known.join(', ')}`}.`,
      `Send "${plain}" instead${known.length === 0 ? '' : `, or "${map.replace(language, known[0] ?? '')}"`}.`,
    );
  }
  const kind = kindOf(specifier);
  const count = kind === undefined ? 0 : streamsOf(facts, input, kind).length;
  const others = facts.argv.filter((word, index) => facts.argv[index - 1] === '-map' && word !== map);
  const list = all.map(({ index, type }) => `${input}:${index} (${type})`).join(', ');
  const fix =
    count > 0
      ? `Send "map" with "${input}:${specifier.charAt(0)}:${count - 1}" instead of "${map}".`
      : others.length > 0
        ? `Leave "${map}" out of "map". If only some files lack it, send "${map.replace(/\?$/, '')}?".`
        : `Send "map" with one of its streams: ${list}.`;
  return failed('INPUT_INVALID', `The map "${map}" selects nothing: ${lack(facts, input, specifier)}.`, fix);
}

/** The kinds that options of the request remove. */
const removed = ({ argv }: MediaFacts): readonly string[] =>
  ['vn', 'an', 'sn'].filter((name) => argv.includes(`-${name}`));

function noStreamForFormat(facts: MediaFacts): Failure | undefined {
  if (facts.inputs.length === 0) return undefined;
  const contents = facts.inputs.map((_one, index) => `${pathOf(facts, index)} has only ${contentOf(facts, index)}`);
  const raw = facts.plan.inputs.findIndex((_one, index) => facts.inputs[index]?.demuxer === 'rawvideo');
  if (raw >= 0 && SOUND_FORMATS.test(facts.plan.output.muxer))
    return failed(
      'INPUT_INVALID',
      `ffmpeg reads ${pathOf(facts, raw)} as raw video, because of its extension. Nothing in raw sound tells its format, sample rate and channels.`,
      `For raw sound, send ${inputFix(facts, raw, { f: 's16le', ar: '16000', ac: '1' })}, with the values of this file.`,
    );
  const without = removed(facts);
  if (without.length > 0) {
    const names = without.map((name) => `"${name}"`).join(' and ');
    const all = facts.inputs.map((_one, index) => `${pathOf(facts, index)} has ${contentOf(facts, index)}`).join(', ');
    return failed(
      'INPUT_INVALID',
      `Nothing is left for the format ${facts.plan.output.muxer}: ${all}, and the request has ${names}.`,
      `Leave ${names} out, or send a file or an output with streams of another kind.`,
    );
  }
  return failed(
    'INPUT_INVALID',
    `The format ${facts.plan.output.muxer} can use nothing of the inputs: ${contents.join(', ')}.`,
    `Send a file that has what the format holds, or an output for ${contentOf(facts, 0)}, such as ${
      streamsOf(facts, 0, 'video').length > 0 ? '.mp4' : streamsOf(facts, 0, 'audio').length > 0 ? '.m4a' : '.srt'
    }.`,
  );
}

/** The picture that reaches the first filter of this name, and the filter. */
function pictureAt(facts: MediaFacts, name: string) {
  for (const graph of facts.graphs) {
    const found = graph.filters.filter((filter) => filter.name === name);
    const [filter, ...others] = found;
    if (filter === undefined || others.length > 0) continue;
    const source = sourceOf(facts, graph, filter, 0, RESIZING);
    const size = source && pictureSize(facts, source);
    if (source !== undefined && size !== undefined) return { graph, filter, source, size };
  }
  return undefined;
}

const sizeText = (
  facts: MediaFacts,
  source: Source,
  size: { width: number; height: number; isRotated: boolean },
): string =>
  `${size.width}x${size.height}${
    size.isRotated
      ? ` (${pathOf(facts, source.input)} holds ${size.height}x${size.width} and asks players to rotate it)`
      : ''
  }`;

function cropTooLarge(width: number, height: number, facts: MediaFacts): Failure | undefined {
  const at = pictureAt(facts, 'crop');
  if (at === undefined) return undefined;
  const { graph, filter, source, size } = at;
  const [x, y] = [optionValue(filter, 'x'), optionValue(filter, 'y')];
  const turned = size.isRotated && width <= size.height && height <= size.width && width > 0 && height > 0;
  const [w, h] = turned ? [height, width] : [Math.min(width, size.width), Math.min(height, size.height)];
  const [left, top] = turned ? [y, x] : [x, y];
  const fits = (offset: string | undefined, room: number): string | undefined =>
    offset !== undefined && /^\d+$/.test(offset) && Number(offset) <= room ? offset : undefined;
  const [keptX, keptY] = [fits(left, size.width - w), fits(top, size.height - h)];
  const options = [
    ...(w > 0 && h > 0 ? [String(w), String(h)] : ['iw', 'ih']),
    ...(keptX === undefined ? [] : [keptX, ...(keptY === undefined ? [] : [keptY])]),
  ];
  return failed(
    'FFMPEG_FAILED',
    `The filter crop cannot cut ${width}x${height} out of the picture, which is ${sizeText(facts, source, size)}.`,
    withFilter(facts, graph, filter, `crop=${options.join(':')}`),
  );
}

function padTooSmall(facts: MediaFacts): Failure | undefined {
  const at = pictureAt(facts, 'pad');
  if (at === undefined) return undefined;
  const { graph, filter, source, size } = at;
  const [w, h] = [optionValue(filter, 'width', 'w'), optionValue(filter, 'height', 'h')];
  if (w === undefined || h === undefined || !/^\d+$/.test(`${w}${h}`)) return undefined;
  return failed(
    'FFMPEG_FAILED',
    `The filter pad cannot make the picture smaller: it is ${sizeText(facts, source, size)}, and the padded size is ${w}x${h}.`,
    withFilter(
      facts,
      graph,
      filter,
      `scale=${w}:${h}:force_original_aspect_ratio=decrease,pad=${w}:${h}:(ow-iw)/2:(oh-ih)/2`,
    ),
  );
}

function stackedSizes(
  side: 'height' | 'width',
  second: { readonly pad: number; readonly has: string | undefined },
  first: { readonly pad: number; readonly wanted: string | undefined },
  facts: MediaFacts,
): Failure | undefined {
  for (const graph of facts.graphs)
    for (const filter of graph.filters) {
      const label = filter.inputs[second.pad];
      if (!/^[hv]stack$/.test(filter.name) || label === undefined) continue;
      const rates = [first.pad, second.pad].map((pad) => sourceOf(facts, graph, filter, pad, RATES)?.stream.fps);
      const [firstRate, secondRate] = rates;
      const differ = firstRate !== undefined && secondRate !== undefined && firstRate !== secondRate;
      const scale = side === 'height' ? `scale=-2:${first.wanted}` : `scale=${first.wanted}:-2`;
      const filters = differ ? `fps=${firstRate},${scale}` : scale;
      const also = differ ? ` Their frame rates differ too: ${secondRate} and ${firstRate} per second.` : '';
      return failed(
        'FFMPEG_FAILED',
        `Pictures ${side === 'height' ? 'side by side need the same height' : 'above each other need the same width'}: input ${second.pad} of ${filter.name} has ${second.has}, and input ${first.pad} has ${first.wanted}.${also}`,
        replacingFix(
          facts,
          graph,
          `${printLabel(label)}${filters}[scaled${second.pad}];`,
          label,
          `scaled${second.pad}`,
          filter,
        ) ?? `Send [${label}] through "${filters}" first.`,
      );
    }
  return undefined;
}

/** Filters that put the frames of several inputs into one picture, at the times of all of them. */
const SYNCING = /^(?:[hvx]stack|blend|xfade|concat|maskedmerge|psnr|ssim|overlay)$/;

/**
 * Why a run made no progress: a filter joins inputs of different frame rates, so ffmpeg writes a frame for each moment in
 * which one of them could have a frame.
 */
export function explainStall(facts: MediaFacts): Pick<Failure, 'message' | 'fix'> | undefined {
  for (const graph of facts.graphs)
    for (const filter of graph.filters) {
      if (!SYNCING.test(filter.name)) continue;
      const sources = filter.inputs.map((_label, pad) => sourceOf(facts, graph, filter, pad, RATES));
      const rates = sources.map((source) => source?.stream.fps);
      const [first, ...others] = rates;
      const pad = others.findIndex((rate) => rate !== undefined && first !== undefined && rate !== first) + 1;
      const label = filter.inputs[pad];
      if (pad === 0 || label === undefined) continue;
      return {
        message: `The filter ${filter.name} joins inputs of different frame rates (${first} and ${rates[pad]} per second), so ffmpeg tries to write very many frames.`,
        fix:
          replacingFix(facts, graph, `${printLabel(label)}fps=${first}[same${pad}];`, label, `same${pad}`, filter) ??
          `Send each input through "fps=${first}" first.`,
      };
    }
  return undefined;
}

function notAPalette(size: string, facts: MediaFacts): Failure | undefined {
  for (const graph of facts.graphs)
    for (const filter of graph.filters) {
      const [film, palette] = filter.inputs;
      if (filter.name !== 'paletteuse' || film === undefined || palette === undefined) continue;
      const source = sourceOf(facts, graph, filter, 1, RESIZING);
      const what = source === undefined ? 'a picture' : pathOf(facts, source.input);
      return failed(
        'FFMPEG_FAILED',
        `The second input of the filter paletteuse must be a palette of 256 pixels (16x16), and ${what} has ${size}.`,
        `Make the palette from the film. ${withFilter(facts, graph, { ...filter, inputs: [] }, `${printLabel(film)}split[pal_a][pal_b];[pal_a]palettegen[pal];${printFilter({ ...filter, inputs: ['pal_b', 'pal'], outputs: [] })}`, filter)}`,
      );
    }
  return undefined;
}

/** Extensions of files with one subtitle stream. */
const SUBTITLE_FILE = /\.(?:srt|ass|ssa|vtt|sub|webvtt|smi)$/i;

function absentSubtitles(logical: string, facts: MediaFacts): Failure | undefined {
  const input = facts.plan.inputs.findIndex((one) => one.logical === logical);
  const planned = facts.plan.inputs[input];
  if (planned === undefined) return undefined;
  for (const graph of facts.graphs)
    for (const filter of graph.filters) {
      const index = optionValue(filter, 'si', 'stream_index');
      if (filter.name !== 'subtitles' || !filter.options.some(({ value }) => value === logical)) continue;
      // Inputs that only a filter reads are not in ffmpeg's report.
      const isOpened = facts.inputs.length === facts.plan.inputs.length || input < facts.inputs.length;
      const count = SUBTITLE_FILE.test(planned.path)
        ? 1
        : isOpened
          ? streamsOf(facts, input, 'subtitle').length
          : undefined;
      if (count === 0 || (count === undefined && index === undefined)) return undefined;
      const has =
        count === undefined
          ? 'has too few subtitle streams'
          : `has ${count} subtitle ${count === 1 ? 'stream' : 'streams'}`;
      return failed(
        'INPUT_INVALID',
        `"${planned.path}" ${has} for "si=${index}": "si" counts subtitle streams only, from 0.`,
        `Send "si=${count === undefined ? 0 : count - 1}".`,
      );
    }
  return undefined;
}

/** Encodings that are common in subtitles of Western languages. */
const WINDOWS = 'WINDOWS-1252';

/** Says which subtitles are not UTF-8. Also for a run that succeeds, without those subtitles. */
export function notUtf8(facts: MediaFacts): MediaFailure {
  const filter = facts.graphs.flatMap(({ filters }) => filters).find(({ name }) => name === 'subtitles');
  const logical = filter?.options.find(({ value }) => value.startsWith('in/'))?.value;
  const ofFilter = facts.plan.inputs.find((one) => one.logical === logical);
  if (filter !== undefined && ofFilter !== undefined) {
    const options = filter.options.map((one) => (one.value === logical ? { ...one, value: ofFilter.path } : one));
    const withEncoding = printChanged({ ...filter, options }, { charenc: WINDOWS });
    return failed(
      'INPUT_INVALID',
      `The subtitles in "${ofFilter.path}" are not UTF-8.`,
      `Name their encoding in the filter, such as ${JSON.stringify(withEncoding)}, or save the file as UTF-8.`,
    );
  }
  const input = facts.inputs.findIndex(({ streams }) => streams.some(({ type }) => type === 'subtitle'));
  const only = facts.inputs.findIndex(({ streams }) => streams.every(({ type }) => type === 'subtitle'));
  const at = only >= 0 ? only : Math.max(0, input);
  return failed(
    'INPUT_INVALID',
    `The subtitles in ${pathOf(facts, at)} are not UTF-8.`,
    `Name their encoding with the input, such as ${inputFix(facts, at, { sub_charenc: WINDOWS })}, or save the file as UTF-8.`,
  );
}

const isAvi = ({ inputs }: MediaFacts): boolean => inputs.length === 1 && inputs[0]?.demuxer === 'avi';

function noTimestamps(facts: MediaFacts): Failure | undefined {
  const at = Math.max(
    0,
    facts.inputs.findIndex(({ demuxer }) => demuxer === 'avi'),
  );
  return failed(
    'FFMPEG_FAILED',
    `The format ${facts.plan.output.muxer} needs a time for each frame, and ${pathOf(facts, at)} has none, so its streams cannot be copied as they are.`,
    `Send "fflags": "+genpts" with the input: ${inputFix(facts, at, { fflags: '+genpts' })}. Or leave "c" out, so that the streams are encoded.`,
  );
}

/** What the pictures most likely have if they do not say it: television of their size. */
const likelyColors = (height: number | undefined): string =>
  height === undefined || height >= 720 ? 'bt709' : height > 486 ? 'bt601-6-625' : 'bt601-6-525';

function unknownColors(name: 'colorspace' | 'zscale', what: string, facts: MediaFacts): Failure | undefined {
  const at = facts.graphs.flatMap((graph) =>
    graph.filters.flatMap((filter) => (filter.name === name ? [{ graph, filter }] : [])),
  )[0];
  if (at === undefined) return undefined;
  const { graph, filter } = at;
  const source = sourceOf(facts, graph, filter, 0, /^$/);
  const height = source?.stream.height;
  const path = source === undefined ? 'the input' : pathOf(facts, source.input);
  const message = `The filter ${name} must know the colours of ${path}, and the file does not name its ${what}.`;
  if (name === 'colorspace') {
    const printed = withFilter(facts, graph, filter, printChanged(filter, { iall: likelyColors(height) }));
    return failed('FFMPEG_FAILED', message, printed);
  }
  const tones = graph.filters.some((one) => one.name === 'tonemap');
  const params = 'setparams=color_primaries=bt709:color_trc=bt709:colorspace=bt709:range=tv';
  const printed = withFilter(facts, graph, filter, `${params},${printFilter({ ...filter, inputs: [], outputs: [] })}`);
  return failed(
    'FFMPEG_FAILED',
    tones ? `${message} Tone mapping is for HDR, which a file always names.` : message,
    tones ? `Leave the tone mapping out, or name the colours first. ${printed}` : printed,
  );
}

function outsidePicture(name: string, facts: MediaFacts): Failure | undefined {
  const at = pictureAt(facts, name);
  if (at === undefined) return undefined;
  const { graph, filter, source, size } = at;
  const number = (option: string): number => Number(optionValue(filter, option) ?? Number.NaN);
  const [w, h] = [Math.min(number('w'), size.width - 2), Math.min(number('h'), size.height - 2)];
  const [x, y] = [
    Math.min(Math.max(1, number('x')), size.width - w - 1),
    Math.min(Math.max(1, number('y')), size.height - h - 1),
  ];
  if (![w, h, x, y].every((value) => Number.isInteger(value) && value > 0)) return undefined;
  return failed(
    'FFMPEG_FAILED',
    `The area of the filter ${name} is not inside the picture, which is ${sizeText(facts, source, size)}.`,
    withFilter(facts, graph, filter, printChanged(filter, { x, y, w, h })),
  );
}

/** Formats that hold sound and no film. */
const SOUND_FORMATS = /^(?:mp3|wav|flac|adts|ogg|oga|opus|ac3|eac3|aiff|ipod|mp2|w64|amr|tta|wv|spx)$/;

/** The output format is only for sound, but a map by number selects a video stream. */
function videoInSoundFormat(facts: MediaFacts): Failure | undefined {
  const { muxer } = facts.plan.output;
  if (!SOUND_FORMATS.test(muxer)) return undefined;
  for (const [at, word] of facts.argv.entries()) {
    const map = facts.argv[at + 1] ?? '';
    const [, number, specifier = ''] = word === '-map' ? (/^(\d+):?(.*)$/.exec(map) ?? []) : [];
    const input = Number(number);
    if (number === undefined) continue;
    const selected = matchingStreams(facts, input, specifier) ?? [];
    const sounds = streamsOf(facts, input, 'audio');
    const wrong = selected.find(({ type }) => type !== 'audio');
    if (wrong === undefined) continue;
    return failed(
      'UNSUPPORTED',
      `The format ${muxer} holds sound, and the map "${map}" selects the ${wrong.type} of ${pathOf(facts, input)}${
        sounds.length === 0
          ? ', which has no audio'
          : `; its audio is ${sounds.map(({ index }) => `${input}:${index}`).join(', ')}`
      }.`,
      sounds.length === 0
        ? 'Send a file with audio, or an output for video, such as .mp4.'
        : sendOption(sentNameOf(facts, 'map'), soundMaps(facts)),
    );
  }
  return undefined;
}

/** `adaptation_sets` names a stream that the output does not have. */
function absentSetStream(stream: string, facts: MediaFacts): Failure | undefined {
  const kinds = (['video', 'audio'] as const).filter((kind) =>
    facts.inputs.some((_one, input) => streamsOf(facts, input, kind).length > 0),
  );
  if (kinds.length === 0 || facts.argv.includes('-map')) return undefined;
  const sets = kinds.map((kind, index) => `id=${index},streams=${kind.charAt(0)}`).join(' ');
  return failed(
    'FFMPEG_FAILED',
    `"adaptation_sets" names the stream ${stream}, and the output has only ${kinds.join(' and ')}.`,
    sendOption('adaptation_sets', sets),
  );
}

/** A map by number selects a sound for an output that is a picture. */
function soundInPictureFormat(facts: MediaFacts): Failure | undefined {
  if (!/^image2/.test(facts.plan.output.muxer)) return undefined;
  for (const [at, word] of facts.argv.entries()) {
    const map = facts.argv[at + 1] ?? '';
    const [, number, specifier = ''] = word === '-map' ? (/^(\d+):?(.*)$/.exec(map) ?? []) : [];
    const input = Number(number);
    const selected = number === undefined ? [] : (matchingStreams(facts, input, specifier) ?? []);
    const wrong = selected.find(({ type }) => type !== 'video');
    if (wrong === undefined) continue;
    return failed(
      'UNSUPPORTED',
      `The output is a picture, and the map "${map}" selects the ${wrong.type} of ${pathOf(facts, input)}.`,
      streamsOf(facts, input, 'video').length === 0
        ? 'Send a file with video, or an output for sound, such as .m4a.'
        : sendOption(sentNameOf(facts, 'map'), `${input}:v`),
    );
  }
  return undefined;
}

/** A filter that waits for more inputs than it has labels: `[0:a][1:a]amix=inputs=3`. */
function tooManyInputs(name: string, facts: MediaFacts): Failure | undefined {
  for (const graph of facts.graphs)
    for (const filter of graph.filters) {
      const labels = filter.inputs.length;
      const isFirst = graph.graph.chains.some(([first]) => first === filter);
      if (filter.name !== name || labels < 2 || !isFirst) continue;
      const number = (key: string, fallback: number): number => Number(optionValue(filter, key) ?? fallback);
      const [key, streams] =
        name === 'concat' ? (['n', number('v', 1) + number('a', 0)] as const) : (['inputs', 1] as const);
      const sent = number(key, 2);
      const count = labels / streams;
      const isCounted = name === 'concat' || COUNTED.test(name);
      // The layout of a mosaic places each input.
      const places = optionValue(filter, 'layout')?.split('|').length ?? count;
      if (!isCounted || !(sent > count) || count < 2 || !Number.isInteger(count) || places !== count) continue;
      return failed(
        'FFMPEG_FAILED',
        `The filter ${name} waits for ${sent * streams} inputs ("${key}=${sent}"), and only ${labels} labels come before it.`,
        withFilter(facts, graph, filter, printChanged(filter, { [key]: count })),
      );
    }
  return undefined;
}

/** Filters whose option `inputs` sets the number of their inputs. */
const COUNTED = /^(?:amix|amerge|mix|[hvx]stack)$/;

/** The maps of the request, with the audio of an input where a map selects something else. */
function soundMaps(facts: MediaFacts): string | readonly string[] {
  const sent = facts.argv.flatMap((word, index) => (word === '-map' ? [facts.argv[index + 1] ?? ''] : []));
  const maps = sent.map((map) => {
    const [, number, specifier = ''] = /^(\d+):?(.*)$/.exec(map) ?? [];
    const selected = number === undefined ? [] : (matchingStreams(facts, Number(number), specifier) ?? []);
    return selected.some(({ type }) => type !== 'audio') ? `${number}:a` : map;
  });
  const [first = '', ...others] = [...new Set(maps)];
  return others.length === 0 ? first : [first, ...others];
}

/** Why nothing was written: the part that the request asks for lies behind the end of an input. */
export function explainNothingWritten(facts: MediaFacts): Failure | undefined {
  return seekBehindEnd(facts) ?? trimBehindEnd(facts) ?? crossfadeTooLong(facts);
}

const NOTHING = 'Nothing was written';

function seekBehindEnd(facts: MediaFacts): Failure | undefined {
  const { inputs, output } = facts.plan.span;
  const longest = Math.max(...facts.inputs.map((_one, index) => secondsOf(facts, index) ?? Number.POSITIVE_INFINITY));
  for (const [index, { start }] of inputs.entries()) {
    const seconds = facts.inputs[index]?.durationSeconds;
    if (start === undefined || seconds === undefined || start < seconds) continue;
    return startFix(facts, index, start, seconds);
  }
  return output.start !== undefined && Number.isFinite(longest) && output.start >= longest
    ? startFix(facts, 0, output.start, longest)
    : undefined;
}

const startFix = (facts: MediaFacts, input: number, start: number, seconds: number): Failure =>
  failed(
    'FFMPEG_FAILED',
    `${NOTHING}: "ss" starts at ${secondsText(start)}, but ${pathOf(facts, input)} ends at ${secondsText(seconds)}.`,
    `Send an "ss" before the end, such as "ss": "${Math.floor(seconds / 2)}", or leave it out.`,
  );

function trimBehindEnd(facts: MediaFacts): Failure | undefined {
  for (const graph of facts.graphs)
    for (const filter of graph.filters) {
      if (!/^a?trim$/.test(filter.name)) continue;
      const source = sourceOf(facts, graph, filter, 0, TIMES);
      const seconds = source && secondsOf(facts, source.input);
      const start = secondsIn(optionValue(filter, 'start', 'starti'));
      if (source === undefined || seconds === undefined || start === undefined || start < seconds) continue;
      return failed(
        'FFMPEG_FAILED',
        `${NOTHING}: the filter ${filter.name} starts at ${secondsText(start)}, but ${pathOf(facts, source.input)} has only ${secondsText(seconds)}.`,
        withFilter(facts, graph, filter, printChanged(filter, { start: Math.floor(seconds / 2) }, ['starti'])),
      );
    }
  return undefined;
}

function crossfadeTooLong(facts: MediaFacts): Failure | undefined {
  for (const graph of facts.graphs)
    for (const filter of graph.filters) {
      if (filter.name !== 'acrossfade') continue;
      const asked = secondsIn(optionValue(filter, 'duration', 'd')) ?? 1;
      for (const pad of [0, 1]) {
        const source = sourceOf(facts, graph, filter, pad, TIMES);
        const seconds = source && secondsOf(facts, source.input);
        if (source === undefined || seconds === undefined || seconds > asked) continue;
        const possible = Math.max(0.1, Math.floor(seconds * 7) / 10);
        return failed(
          'FFMPEG_FAILED',
          `${NOTHING}: the crossfade takes ${secondsText(asked)}, but ${pathOf(facts, source.input)} has only ${secondsText(seconds)}.`,
          withFilter(facts, graph, filter, printChanged(filter, { d: possible }, ['duration', 'nb_samples', 'ns'])),
        );
      }
    }
  return undefined;
}
