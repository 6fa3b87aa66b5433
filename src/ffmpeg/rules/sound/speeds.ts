import { addOption, orElse, sendIn, sendOption, withMore } from '../../../domain/edit.ts';
import type { Hint } from '../../../domain/hint.ts';
import { type GraphFilter, printFilter, printGraph } from '../../filtergraph/graph.ts';
import { readPlainNumber } from '../../values/number.ts';
import type { Rule } from '../contexts.ts';
import type { FinishedPass, RunWarning } from '../facts/finished-pass.ts';
import { prependFix, withFilter } from '../facts/graph-fixes.ts';
import { type ArgvGraph, type MediaFacts, optionValue, TIMES } from '../facts/media-facts.ts';
import { STILL } from '../facts/output-duration.ts';

/** A change of speed below this share is a correction, not an effect. */
const TOLERANCE = 0.05;

type Side = 'picture' | 'sound';

/** One filter that changes the speed, or may change it. undefined: by an unknown factor. */
type Speed = number | undefined;

/** `setpts=0.5*PTS`, `setpts=(PTS-STARTPTS)/2`: the factor by which the picture is faster. Offsets change no speed. */
function speedOfTimes(expression: string): Speed {
  const text = expression.replaceAll(/\s/g, '');
  if (/^(?:PTS|PTS-STARTPTS|PTS[-+][\d.]+\/TB|N\/SR\/TB|N\/\(SR\*TB\))$/.test(text)) return 1;
  if (/\/\([^)]*[*/]/.test(text)) return undefined;
  const plain = text.replaceAll(/[()]/g, '').replace('-STARTPTS', '');
  const [, before = '1', below = '1', after = ''] =
    /^(?:([\d.]+)(?:\/([\d.]+))?\*)?PTS((?:[*/][\d.]+)*)$/.exec(plain) ?? [];
  if (!plain.includes('PTS') || (before === '1' && below === '1' && after === '' && plain !== 'PTS')) return undefined;
  return 1 / withFactors(Number(before) / Number(below), after);
}

/** A plain number, or a product or quotient of numbers: `44100*1.25`. */
function product(text: string): Speed {
  const [, first, rest = ''] = /^([\d.]+k?)((?:[*/][\d.]+)*)$/i.exec(text.replaceAll(/[\s()]/g, '')) ?? [];
  const start = first === undefined ? undefined : readPlainNumber(first);
  if (start === undefined) return undefined;
  return withFactors(start, rest);
}

/** A number times and divided by those of a text: `*1.25/2`. */
const withFactors = (start: number, factors: string): number =>
  (factors.match(/[*/][\d.]+/g) ?? []).reduce(
    (value, one) => (one.startsWith('*') ? value * Number(one.slice(1)) : value / Number(one.slice(1))),
    start,
  );

const isAlike = (a: number, b: number): boolean => Math.abs(a / b - 1) < TOLERANCE;

/** The speed that filters of pictures make. */
const speedOfPicture = (filters: readonly GraphFilter[]): Speed =>
  filters.reduce<Speed>(
    (speed, filter) =>
      speed === undefined || filter.name !== 'setpts'
        ? speed
        : multiply(speed, speedOfTimes(optionValue(filter, 'expr') ?? 'PTS')),
    1,
  );

const multiply = (a: number, b: Speed): Speed => (b === undefined ? undefined : a * b);

const speedOfAsetpts = (filter: GraphFilter): Speed => speedOfTimes(optionValue(filter, 'expr') ?? 'PTS');

/** Whether a filter scales the times of sound, which squeezes its samples together and changes no speed. */
const isScaled = (filter: GraphFilter): boolean => {
  const speed = filter.name === 'asetpts' ? speedOfAsetpts(filter) : 1;
  return speed !== undefined && !isAlike(speed, 1);
};

/** The speed that filters of sound make. `rate`: the sample rate of the sound that they get. */
function speedOfSound(filters: readonly GraphFilter[], rate: number | undefined): Speed {
  let speed: Speed = 1;
  let current = rate;
  for (const filter of filters) {
    if (speed === undefined) return undefined;
    if (filter.name === 'atempo' || filter.name === 'rubberband')
      speed = multiply(speed, product(optionValue(filter, 'tempo') ?? '1'));
    else if (filter.name === 'asetpts') speed = multiply(speed, isScaled(filter) ? 1 : speedOfAsetpts(filter));
    else if (filter.name === 'aresample') current = product(optionValue(filter, 'sample_rate') ?? '') ?? current;
    else if (filter.name === 'asetrate') {
      const after = product(optionValue(filter, 'sample_rate', 'r') ?? '');
      speed = after === undefined || current === undefined ? undefined : (speed * after) / current;
      current = after;
    }
  }
  return speed;
}

/** What a request does with the two streams of one film. */
interface Speeds {
  readonly picture: number;
  readonly sound: number;
}

/** Filters of sound, by their names. All others of a graph are of pictures. */
const OF_SOUND =
  /^(?:a(?!lpha|vgblur|tadenoise|ss$|midequalizer|dd_)[a-z]+|volume|rubberband|loudnorm|pan|(?:high|low|band)pass|equalizer|bass|treble|dynaudnorm|channelmap|earwax|extrastereo|silenceremove|speechnorm|stereotools|crossfeed|compand|chorus|flanger|tremolo|vibrato)$/;

const UNEQUAL_SPEEDS: Rule = {
  id: 'unequal-speeds',
  finds: 'filters that give the video and the audio different speeds',
  /** The picture is faster than the sound of the same film, or slower. */
  filesAndRun({ facts, pass }) {
    const { outputStreams, used } = pass;
    const streams = used.map(({ input, stream, copied }) => ({
      input,
      copied,
      stream: facts.inputStream(input, stream),
    }));
    const [picture, ...pictures] = streams.filter(({ stream }) => stream?.type === 'video');
    const [sound, ...sounds] = streams.filter(({ stream }) => stream?.type === 'audio');
    const kinds = new Set(outputStreams.map(({ type }) => type));
    if (picture === undefined || sound === undefined || pictures.length + sounds.length > 0) return [];
    if (!kinds.has('video') || !kinds.has('audio') || picture.input !== sound.input) return [];
    const isStill = STILL.test(facts.inputs[picture.input]?.demuxer ?? '');
    if (isStill || picture.stream?.disposition?.includes('attached_pic')) return [];
    const graphs = graphsOf(facts);
    if (graphs === undefined) return [];
    const speeds = {
      picture: speedOfPicture(graphs.picture?.filters ?? []),
      sound: speedOfSound(graphs.sound?.filters ?? [], sound.stream?.sampleRate),
    };
    if (!isSpeed(speeds.picture) || !isSpeed(speeds.sound) || isAlike(speeds.picture, speeds.sound)) return [];
    const both = { picture: speeds.picture, sound: speeds.sound };
    const changed = isAlike(both.picture, 1) ? graphs.sound : graphs.picture;
    if (changed === undefined) return [];
    return {
      key: changed.graph.key,
      code: 'UNEQUAL_LENGTHS',
      message: messageOf(facts, graphs, both),
      fix: fixOf(facts, graphs, both, sound.copied ? facts.fieldOf('c:a') : undefined),
    };
  },
};

const isSpeed = (speed: Speed): speed is number => speed !== undefined && Number.isFinite(speed) && speed > 0;

/** The filters of one side, and the graph that has them. */
interface SideGraph {
  readonly graph: ArgvGraph;
  readonly filters: readonly GraphFilter[];
}

type Graphs = Readonly<Partial<Record<Side, SideGraph>>>;

/** The filters of the picture and of the sound. undefined if it is not clear which filter is for which stream. */
function graphsOf({ graphs }: MediaFacts): Graphs | undefined {
  if (graphs.length === 0) return undefined;
  const [complex, ...others] = graphs.filter(({ key }) => key === 'filter_complex');
  if (complex !== undefined) {
    // Streams that are split or joined have no one speed.
    const isLinear = complex.graph.chains.every((chain) =>
      chain.every(({ inputs, outputs }, at) => inputs.length === (at === 0 ? 1 : 0) && outputs.length < 2),
    );
    if (!isLinear || others.length > 0 || graphs.length > 1) return undefined;
    const [sound, picture] = [true, false].map((wanted) =>
      complex.filters.filter(({ name }) => OF_SOUND.test(name) === wanted),
    );
    const side = (filters: readonly GraphFilter[] = []): SideGraph | undefined =>
      filters.length === 0 ? undefined : { graph: complex, filters };
    return withoutUndefined({ picture: side(picture), sound: side(sound) });
  }
  const simple = (letter: string): SideGraph | 'several' | undefined => {
    const [graph, ...more] = graphs.filter(({ key }) => key.startsWith(`filter:${letter}`));
    return more.length > 0 ? 'several' : graph && { graph, filters: graph.filters };
  };
  const [picture, sound] = [simple('v'), simple('a')];
  return picture === 'several' || sound === 'several' ? undefined : withoutUndefined({ picture, sound });
}

const withoutUndefined = ({ picture, sound }: { [side in Side]: SideGraph | undefined }): Graphs => ({
  ...(picture === undefined ? {} : { picture }),
  ...(sound === undefined ? {} : { sound }),
});

const times = (speed: number): string => `${Number(speed.toPrecision(6))} times as fast`;

function messageOf(facts: MediaFacts, graphs: Graphs, { picture, sound }: Speeds): string {
  const name = (side: Side): string => `"${facts.sentNameOf(graphs[side]?.graph.key ?? '')}"`;
  if (isAlike(sound, 1))
    return `${name('picture')} makes only the picture ${times(picture)}, so the sound does not fit it.`;
  if (isAlike(picture, 1))
    return `${name('sound')} makes only the sound ${times(sound)}, so the picture does not fit it.`;
  const [film, heard] = [name('picture'), name('sound')];
  return `${film} makes the picture ${times(picture)}, and ${film === heard ? '' : `${heard} makes `}the sound ${times(sound)}, so they do not fit.`;
}

/** Filters that make sound `speed` times as fast. One of them only halves the speed at most. */
function tempo(speed: number): string {
  const factors: number[] = [];
  let rest = speed;
  for (; rest < 0.5; rest /= 0.5) factors.push(0.5);
  for (; rest > 100; rest /= 100) factors.push(100);
  return [...factors, Number(rest.toPrecision(6))].map((factor) => `atempo=${factor}`).join(',');
}

/** `copied`: the field of the option that copies the sound, if it is copied. */
function fixOf(facts: MediaFacts, graphs: Graphs, { picture, sound }: Speeds, copied: string | undefined): Hint {
  const { picture: film, sound: heard } = graphs;
  if (isAlike(picture, 1)) {
    const times = `setpts=PTS/${Number(sound.toPrecision(6))}`;
    if (film !== undefined)
      return film.graph.key === 'filter_complex' ? appended(facts, film, times) : prependFix(facts, film.graph, times);
    return heard?.graph.key === 'filter_complex'
      ? added(facts, heard.graph, '0:v', `${times}[picture]`)
      : addOption('vf', times);
  }
  if (heard === undefined) {
    if (film?.graph.key === 'filter_complex') return added(facts, film.graph, '0:a', `${tempo(picture)}[sound]`);
    if (copied !== undefined)
      return withMore(addOption('af', tempo(picture)), { do: 'remove', name: facts.sentNameOf('c:a') });
    return orElse(addOption('af', tempo(picture)), '"an": "" if no sound is meant');
  }
  const opposite = oppositeFix(facts, graphs, { picture, sound });
  if (opposite !== undefined) return opposite;
  const scaled = heard.filters.find(isScaled);
  if (scaled !== undefined) return withFilter(facts, heard.graph, scaled, tempo(picture / sound));
  const [only, ...others] = heard.filters.filter(({ name }) => name === 'atempo');
  if (only === undefined || others.length > 0) return appended(facts, heard, tempo(picture / sound));
  const own = product(optionValue(only, 'tempo') ?? '1') ?? 1;
  return withFilter(facts, heard.graph, only, tempo((picture / sound) * own));
}

/**
 * The fix for a picture that is as much slower as its sound is faster, or the other way round: either side can be meant. undefined for
 * other speeds, and for filters that are not alone.
 */
function oppositeFix(
  facts: MediaFacts,
  { picture: film, sound: heard }: Graphs,
  { picture, sound }: Speeds,
): string | undefined {
  const [times, ...others] = film?.filters.filter(({ name }) => name === 'setpts') ?? [];
  const isPlain = heard?.filters.every(({ name }) => name === 'atempo') === true && others.length === 0;
  if (film === undefined || heard === undefined || times === undefined || !isPlain || !isAlike(picture * sound, 1))
    return undefined;
  if (film.graph.key === 'filter_complex' || film.filters.length > 1) return undefined;
  const [vf, af] = [film, heard].map(({ graph }) => JSON.stringify(facts.sentNameOf(graph.key)));
  const [slow, fast] = picture < 1 ? ['slower', 'faster'] : ['faster', 'slower'];
  return `For a ${slow} film, send ${af}: "${tempo(picture)}". For a ${fast} one, send ${vf}: "setpts=PTS/${Number(sound.toPrecision(6))}".`;
}

const EMPTY: GraphFilter = { inputs: [], name: 'anull', options: [], outputs: [], at: 0 };

/** The fix that puts filters after the others of one side. */
function appended(facts: MediaFacts, { graph, filters }: SideGraph, text: string): Hint {
  const last = filters.at(-1) ?? EMPTY;
  return withFilter(facts, graph, last, `${printFilter({ ...last, inputs: [], outputs: [] })},${text}`);
}

/** The fix for a stream that a complex graph does not filter yet. */
function added(facts: MediaFacts, { key }: ArgvGraph, label: string, filters: string): string {
  const [name = ''] = /\[\w+\]$/.exec(filters) ?? [];
  return `Add ${JSON.stringify(`;[${label}]${filters}`)} to "${facts.sentNameOf(key)}", and send "${name}" in "map" instead of this stream.`;
}

/** A frame rate that differs less corrects that of the file. */
const RATE_TOLERANCE = 0.05;

/** Frames per second in `25` or `30000/1001`. undefined for a name. */
function rateIn(text: string | undefined): number | undefined {
  const [, above, below = '1'] = /^(\d+(?:\.\d+)?)(?:\/(\d+))?$/.exec(text ?? '') ?? [];
  return above === undefined ? undefined : Number(above) / Number(below);
}

type Used = FinishedPass['used'][number];

/** The streams of one kind of an input that the output has. */
const usedOf = (
  facts: MediaFacts,
  used: FinishedPass['used'],
  input: number,
  kind: 'video' | 'audio',
): readonly Used[] => used.filter((one) => one.input === input && facts.inputStream(input, one.stream)?.type === kind);

const INPUT_FRAME_RATE: Rule = {
  id: 'input-frame-rate',
  finds: '`r` of an input with audio, which changes only the speed of the video',
  /** `r` of an input with sound: ffmpeg plays the frames at that rate, so the picture becomes slower or faster than the sound. */
  filesAndRun({ facts, pass: { used } }) {
    if (facts.usesFilter(TIMES)) return [];
    return facts.inputs.flatMap(({ demuxer }, input) => {
      const args = facts.inputArgs(input);
      const rate = rateIn(args[args.lastIndexOf('-r') + 1]);
      const [picture] = usedOf(facts, used, input, 'video');
      const planned = facts.plan.inputs[input];
      if (!args.includes('-r') || rate === undefined || picture === undefined || planned === undefined) return [];
      const fps = picture.copied ? undefined : facts.inputStream(input, picture.stream)?.fps;
      if (fps === undefined || STILL.test(demuxer) || Math.abs(rate / fps - 1) <= RATE_TOLERANCE) return [];
      if (usedOf(facts, used, input, 'audio').length === 0) return [];
      return {
        field: planned.field.replace(/\/input$/, '/parameters/r'),
        code: 'OUT_OF_SYNC',
        message: `"r" of the input ${facts.pathOf(input)} plays its ${fps} frames per second at ${Number(rate.toFixed(3))}: the picture is ${rate < fps ? 'slower' : 'faster'} than the sound.`,
        fix: {
          ...sendIn('parameters', 'r', args[args.lastIndexOf('-r') + 1] ?? ''),
          why: 'that changes the frame rate at the same speed',
        },
      };
    });
  },
};

const UNPAIRED_REVERSE: Rule = {
  id: 'unpaired-reverse',
  finds: '`reverse` without `areverse`, or the other way round',
  /** `reverse` plays only the picture backwards, or `areverse` only the sound. */
  filesAndRun({ facts, pass: { used, outputStreams } }) {
    const [picture, sound] = (['video', 'audio'] as const).map((kind) =>
      facts.inputs.length === 1 ? usedOf(facts, used, 0, kind)[0] : undefined,
    );
    const complex = facts.inputs.length === 1 ? facts.graphs.find(({ key }) => key === 'filter_complex') : undefined;
    const hasSound = outputStreams.some(({ type }) => type === 'audio');
    if (complex !== undefined) return hasSound ? forwardBeside(facts, complex) : [];
    if (picture === undefined || sound === undefined) return [];
    const [video, audio] = ['v', 'a'].map((letter) =>
      facts.graphs.find(({ key }) => key.startsWith(`filter:${letter}`)),
    );
    const reverses = video?.filters.some(isReverse) === true;
    if (reverses === (audio?.filters.some(({ name }) => name === 'areverse') === true)) return [];
    const [graph, other] = reverses ? [video, audio] : [audio, video];
    const added = reverses ? 'areverse' : 'reverse';
    const isCopied = reverses ? sound.copied : picture.copied;
    const [codec, drop, what] = reverses ? ['c:a', 'an', 'sound'] : ['c:v', 'vn', 'picture'];
    const both = other === undefined ? added : `${printGraph(other.graph)},${added}`;
    const name = other === undefined ? (reverses ? 'af' : 'vf') : facts.sentNameOf(other.key);
    if (graph === undefined) return [];
    return {
      key: graph.key,
      code: 'OUT_OF_SYNC',
      message: reverses
        ? 'The filter reverse plays only the picture backwards, and the sound plays forwards.'
        : 'The filter areverse plays only the sound backwards, and the picture plays forwards.',
      fix: orElse(
        isCopied
          ? withMore(addOption(name, added), { do: 'remove', name: facts.sentNameOf(codec) })
          : other === undefined
            ? addOption(name, both)
            : sendOption(name, both),
        `"${drop}": "" if no ${what} is meant`,
      ),
    };
  },
};

/** The same for a graph of the picture alone, beside which ffmpeg takes the sound by itself. */
function forwardBeside(facts: MediaFacts, { graph, filters }: ArgvGraph): readonly RunWarning[] {
  const isAlone =
    graph.chains.length === 1 && filters.some(isReverse) && filters.every(({ outputs }) => outputs.length === 0);
  const isLeft = facts.argv.some((word) => /^-(?:an|map|filter:a.*|c:a)$/.test(word));
  if (!isAlone || isLeft) return [];
  return [
    {
      key: 'filter_complex',
      code: 'OUT_OF_SYNC',
      message: 'The filter reverse plays only the picture backwards, and the sound plays forwards.',
      fix: orElse(addOption('af', 'areverse'), '"an": "" if no sound is meant'),
    },
  ];
}

const isReverse = ({ name }: { readonly name: string }): boolean => name === 'reverse';

export const SPEED_RULES: readonly Rule[] = [UNEQUAL_SPEEDS, INPUT_FRAME_RATE, UNPAIRED_REVERSE];
