import { addOption, orElse, sendIn, sendOption, withMore } from '@telecine/contract/domain/edit.ts';
import type { Hint } from '@telecine/contract/domain/hint.ts';
import { type GraphFilter, printGraph } from '../../filtergraph/graph.ts';
import { readPlainNumber } from '../../values/number.ts';
import { type FileContext, outOfSync, type Rules, type RunFindings, unequalLengths } from '../contexts.ts';
import { isCover } from '../facts/converted-streams.ts';
import { addChainFix, newFilter, prependFix, withFilter } from '../facts/graph-fixes.ts';
import { type ArgvGraph, letterOf, type MediaFacts, optionValue, TIMES } from '../facts/media-facts.ts';
import { PlacedFilter } from '../facts/placed-filter.ts';

/** The playback speed after filters: 2 is twice as fast. undefined: unclear, such as for an expression. */
type Speed = number | undefined;

const withFactors = (start: number, factors: string): number =>
  (factors.match(/[*/][\d.]+/g) ?? []).reduce(
    (value, one) => (one.startsWith('*') ? value * Number(one.slice(1)) : value / Number(one.slice(1))),
    start,
  );

function product(text: string): Speed {
  const [, first = '', rest = ''] = /^([\d.]+k?)((?:[*/][\d.]+)*)$/i.exec(text.replaceAll(/[\s()]/g, '')) ?? [];
  const start = readPlainNumber(first);
  return start === undefined ? undefined : withFactors(start, rest);
}

/** Returns the speed that `setpts` or `asetpts` sets: 2 for `setpts=0.5*PTS` and `setpts=(PTS-STARTPTS)/2`. */
function speedOfTimes(filter: GraphFilter): Speed {
  const text = (optionValue(filter, 'expr') ?? 'PTS').replaceAll(/\s/g, '');
  if (/^(?:PTS|PTS-STARTPTS|PTS[-+][\d.]+\/TB|N\/SR\/TB|N\/\(SR\*TB\))$/.test(text)) return 1;
  if (/\/\([^)]*[*/]/.test(text)) return undefined;
  const plain = text.replaceAll(/[()]/g, '').replace('-STARTPTS', '');
  const match = /^(?:([\d.]+)(?:\/([\d.]+))?\*)?PTS((?:[*/][\d.]+)*)$/.exec(plain);
  if (match === null) return undefined;
  const [, before = '1', below = '1', after = ''] = match;
  return 1 / withFactors(Number(before) / Number(below), after);
}

/** A relative change of speed below this is a correction, such as from 24 to 25 frames per second. */
const TOLERANCE = 0.05;

const isAlike = (a: number, b: number): boolean => Math.abs(a / b - 1) < TOLERANCE;

/** True for `asetpts=0.5*PTS`, which moves audio samples closer together, but does not play them faster. */
const scalesTimes = (filter: GraphFilter): boolean =>
  filter.name === 'asetpts' && !isAlike(speedOfTimes(filter) ?? 1, 1);

/** Returns the speed that a chain of filters sets. `rate`: the sample rate of its input in Hz, which `asetrate` needs. */
function speedOf(filters: readonly GraphFilter[], rate = Number.NaN): Speed {
  let speed = 1;
  let current = rate;
  // An unknown factor is NaN, which makes the product NaN.
  const value = (filter: GraphFilter, ...names: readonly string[]): number =>
    product(optionValue(filter, ...names) ?? '') ?? Number.NaN;
  for (const filter of filters) {
    const { name } = filter;
    if (/^a?setpts$/.test(name) && !scalesTimes(filter)) speed *= speedOfTimes(filter) ?? Number.NaN;
    if (/^(?:atempo|rubberband)$/.test(name) && optionValue(filter, 'tempo') !== undefined)
      speed *= value(filter, 'tempo');
    if (name === 'aresample') current = product(optionValue(filter, 'sample_rate') ?? '') ?? current;
    if (name === 'asetrate') {
      speed *= value(filter, 'sample_rate', 'r') / current;
      current = value(filter, 'sample_rate', 'r');
    }
  }
  return Number.isFinite(speed) && speed > 0 ? speed : undefined;
}

/** Matches audio filters. In a complex graph, all other filters count as video filters. */
const OF_AUDIO =
  /^(?:a(?!lpha|vgblur|tadenoise|ss$|midequalizer|dd_)[a-z]+|volume|rubberband|loudnorm|pan|(?:high|low|band)pass|equalizer|bass|treble|dynaudnorm|channelmap|earwax|extrastereo|silenceremove|speechnorm|stereotools|crossfeed|compand|chorus|flanger|tremolo|vibrato)$/;

type Kind = 'video' | 'audio';

type Side = Pick<ArgvGraph, 'filters'> & { readonly graph: ArgvGraph };
type Sides = Readonly<Record<Kind, Side | undefined>>;

/** Sorts the filters into those for video and for audio. undefined: a graph splits or joins streams, or a kind has several graphs. */
function sidesOf({ graphs }: MediaFacts): Sides | undefined {
  const complex = graphs.find(({ key }) => key === 'filter_complex');
  if (complex !== undefined) {
    const isLinear = complex.graph.chains.every((chain) =>
      chain.every(({ inputs, outputs }, at) => inputs.length === (at === 0 ? 1 : 0) && outputs.length < 2),
    );
    if (!isLinear || graphs.length > 1) return undefined;
    const side = (isAudio: boolean): Side | undefined => {
      const filters = complex.filters.filter(({ name }) => OF_AUDIO.test(name) === isAudio);
      return filters.length === 0 ? undefined : { graph: complex, filters };
    };
    return { video: side(false), audio: side(true) };
  }
  const [video, audio] = ['v', 'a'].map((letter) => graphs.filter(({ key }) => key.startsWith(`filter:${letter}`)));
  const side = (graph: ArgvGraph | undefined): Side | undefined => graph && { graph, filters: graph.filters };
  const isClear = (video?.length ?? 0) < 2 && (audio?.length ?? 0) < 2 && graphs.length > 0;
  return isClear ? { video: side(video?.[0]), audio: side(audio?.[0]) } : undefined;
}

type Speeds = Readonly<Record<Kind, number>>;

function unequalSpeeds({ facts, pass }: FileContext): RunFindings {
  const [video, ...videos] = facts.usedOf('video', pass.used);
  const [audio, ...audios] = facts.usedOf('audio', pass.used);
  const kinds = new Set(pass.outputStreams.map(({ type }) => type));
  if (video === undefined || audio === undefined || videos.length + audios.length > 0) return undefined;
  if (!kinds.has('video') || !kinds.has('audio') || video.input !== audio.input) return undefined;
  const sides = sidesOf(facts);
  const isCoverImage = isCover(facts.inputStream(video.input, video.stream));
  if (sides === undefined || facts.isStill(video.input) || isCoverImage) return undefined;
  const ofVideo = speedOf(
    (sides.video?.filters ?? []).filter(({ name }) => name === 'setpts'),
    undefined,
  );
  const ofAudio = speedOf(
    (sides.audio?.filters ?? []).filter(({ name }) => name !== 'setpts'),
    facts.inputStream(audio.input, audio.stream)?.sampleRate,
  );
  if (ofVideo === undefined || ofAudio === undefined || isAlike(ofVideo, ofAudio)) return undefined;
  const speeds = { video: ofVideo, audio: ofAudio };
  const changed = isAlike(ofVideo, 1) ? sides.audio : sides.video;
  return (
    changed &&
    unequalLengths(
      messageOf(facts, sides, speeds),
      fixOf(facts, sides, speeds, audio.copied && facts.fieldOf('c:a') !== undefined),
      { key: changed.graph.key },
    )
  );
}

const rounded = (speed: number): number => Number(speed.toPrecision(6));
const timesText = (speed: number): string => `${rounded(speed)} times as fast`;

function messageOf(facts: MediaFacts, sides: Sides, { video, audio }: Speeds): string {
  const [shown, heard] = [sides.video, sides.audio].map((side) => `"${facts.sentNameOf(side?.graph.key ?? '')}"`);
  if (isAlike(audio, 1)) return `${shown} makes only the video ${timesText(video)}, so the audio does not fit it.`;
  if (isAlike(video, 1)) return `${heard} makes only the audio ${timesText(audio)}, so the video does not fit it.`;
  return `${shown} makes the video ${timesText(video)}, and ${shown === heard ? '' : `${heard} makes `}the audio ${timesText(audio)}, so they do not fit.`;
}

/** Returns `atempo` filters that together set a speed. One `atempo` takes 0.5 to 100. */
function tempo(speed: number): string {
  const factors: number[] = [];
  let rest = speed;
  for (; rest < 0.5; rest /= 0.5) factors.push(0.5);
  for (; rest > 100; rest /= 100) factors.push(100);
  return [...factors, rounded(rest)].map((factor) => `atempo=${factor}`).join(',');
}

/** Returns the fix that gives both streams the same speed. `isCopied`: the request copies the audio, so the fix also drops `c:a`. */
function fixOf(facts: MediaFacts, sides: Sides, speeds: Speeds, isCopied: boolean): Hint {
  const { video, audio } = speeds;
  const [shown, heard] = [sides.video, sides.audio];
  if (isAlike(video, 1)) {
    const times = `setpts=PTS/${rounded(audio)}`;
    if (shown !== undefined)
      return shown.graph.key === 'filter_complex'
        ? appended(facts, shown, times)
        : prependFix(facts, shown.graph, times);
    return heard?.graph.key === 'filter_complex'
      ? addChainFix(facts, heard.graph, '0:v', times, 'picture')
      : addOption('vf', times);
  }
  if (heard === undefined) {
    if (shown?.graph.key === 'filter_complex') return addChainFix(facts, shown.graph, '0:a', tempo(video), 'sound');
    const fix = addOption('af', tempo(video));
    return isCopied
      ? withMore(fix, { do: 'remove', name: facts.sentNameOf('c:a') })
      : orElse(fix, '"an": "" if no audio is meant');
  }
  const opposite = oppositeFix(facts, sides, speeds);
  if (opposite !== undefined) return opposite;
  const scaled = heard.filters.find(scalesTimes);
  if (scaled !== undefined) return withFilter(facts, heard.graph, scaled, tempo(video / audio));
  const [only, ...others] = heard.filters.filter(({ name }) => name === 'atempo');
  if (only === undefined || others.length > 0) return appended(facts, heard, tempo(video / audio));
  const own = product(optionValue(only, 'tempo') ?? '1') ?? 1;
  return withFilter(facts, heard.graph, only, tempo((video / audio) * own));
}

/** Returns the fix for `setpts=2*PTS` with `atempo=2`: a slower video with faster audio. It offers both speeds. undefined: another case. */
function oppositeFix(facts: MediaFacts, sides: Sides, { video, audio }: Speeds): string | undefined {
  const { video: shown, audio: heard } = sides;
  const [only, ...others] = shown?.filters ?? [];
  const isPlain =
    only?.name === 'setpts' && others.length === 0 && heard?.filters.every(({ name }) => name === 'atempo');
  if (!isPlain || shown?.graph.key === 'filter_complex' || !isAlike(video * audio, 1)) return undefined;
  const [vf, af] = [shown, heard].map((side) => JSON.stringify(facts.sentNameOf(side?.graph.key ?? '')));
  const [slow, fast] = video < 1 ? ['slower', 'faster'] : ['faster', 'slower'];
  return `For a ${slow} video, send ${af}: "${tempo(video)}". For a ${fast} one, send ${vf}: "setpts=PTS/${rounded(audio)}".`;
}

function appended(facts: MediaFacts, { graph, filters }: Side, text: string): Hint {
  const last = new PlacedFilter(facts, graph, filters.at(-1) ?? newFilter('anull'));
  return last.replace(`${last.text},${text}`);
}

/** Reads frames per second from `25` or `30000/1001`. undefined: a name such as `ntsc`. */
function rateIn(text: string | undefined): number | undefined {
  const [, above, below = '1'] = /^(\d+(?:\.\d+)?)(?:\/(\d+))?$/.exec(text ?? '') ?? [];
  return above === undefined ? undefined : Number(above) / Number(below);
}

/** For each kind: the filter that plays it backwards, the other kind with its filter option, and the option that drops the other kind. */
const REVERSED = {
  video: { filter: 'reverse', other: 'audio', shortName: 'af', drop: 'an' },
  audio: { filter: 'areverse', other: 'video', shortName: 'vf', drop: 'vn' },
} as const;

const reverses = (graph: Pick<ArgvGraph, 'filters'> | undefined, kind: Kind): boolean =>
  graph?.filters.some(({ name }) => name === REVERSED[kind].filter) === true;

/** Warns about a graph that reverses only one stream. `other`: the graph of the other stream. `isCopied`: the other stream is copied. */
function unpaired(facts: MediaFacts, graph: ArgvGraph, kind: Kind, other?: ArgvGraph, isCopied = false): RunFindings {
  const { filter, other: otherKind, shortName, drop } = REVERSED[kind];
  const opposite = REVERSED[otherKind].filter;
  const name = other === undefined ? shortName : facts.sentNameOf(other.key);
  const codec = facts.sentNameOf(`c:${letterOf(otherKind)}`);
  const fix = isCopied
    ? withMore(addOption(name, opposite), { do: 'remove', name: codec })
    : other === undefined
      ? addOption(name, opposite)
      : sendOption(name, `${printGraph(other.graph)},${opposite}`);
  return outOfSync(
    `The filter ${filter} plays only the ${kind} backwards, and the ${otherKind} plays forwards.`,
    orElse(fix, `"${drop}": "" if no ${otherKind} is meant`),
    { key: graph.key },
  );
}

export const SPEED_RULES: Rules = {
  'unequal-speeds': {
    finds: 'filters that give the video and the audio different speeds',
    filesAndRun: unequalSpeeds,
  },

  /** `r` of an input sets the rate at which its frames are played. Its audio keeps its speed. */
  'input-frame-rate': {
    finds: '`r` of an input with audio, which changes only the speed of the video',
    filesAndRun({ facts, pass: { used } }) {
      if (facts.usesFilter(TIMES)) return [];
      return facts.plan.inputs.flatMap(({ field }, input) => {
        const args = facts.inputArgs(input);
        const sent = args.includes('-r') ? (args[args.lastIndexOf('-r') + 1] ?? '') : '';
        const rate = rateIn(sent);
        const ofInput = used.filter((one) => one.input === input);
        const [video] = facts.usedOf('video', ofInput);
        const fps = video === undefined || video.copied ? undefined : facts.inputStream(input, video.stream)?.fps;
        if (rate === undefined || fps === undefined || facts.isStill(input) || isAlike(rate, fps)) return [];
        if (facts.usedOf('audio', ofInput).length === 0) return [];
        return outOfSync(
          `"r" of the input ${facts.pathOf(input)} plays its ${fps} frames per second at ${Number(rate.toFixed(3))}: the video is ${rate < fps ? 'slower' : 'faster'} than the audio.`,
          { ...sendIn('parameters', 'r', sent), why: 'that changes the frame rate at the same speed' },
          { field: field.replace(/\/input$/, '/parameters/r') },
        );
      });
    },
  },

  'unpaired-reverse': {
    finds: '`reverse` without `areverse`, or the other way round',
    filesAndRun({ facts, pass }) {
      if (facts.inputs.length !== 1) return [];
      const [complex] = facts.complexGraphs;
      if (complex !== undefined) {
        // A graph of one chain without labels filters only the video, and ffmpeg selects the audio itself.
        const isAlone =
          complex.graph.chains.length === 1 && complex.filters.every(({ outputs }) => outputs.length === 0);
        const hasAudio = pass.outputStreams.some(({ type }) => type === 'audio');
        const isChosen = facts.hasOption(/^-(?:an|map|filter:a.*|c:a)$/);
        return isAlone && hasAudio && !isChosen && reverses(complex, 'video') ? unpaired(facts, complex, 'video') : [];
      }
      const [video, audio] = (['video', 'audio'] as const).map((kind) => facts.usedOf(kind, pass.used)[0]);
      if (video === undefined || audio === undefined) return [];
      const graphOf = (kind: Kind): ArgvGraph | undefined =>
        facts.graphs.find(({ key }) => key.startsWith(`filter:${letterOf(kind)}`));
      const isVideo = reverses(graphOf('video'), 'video');
      const kind = isVideo ? 'video' : 'audio';
      const graph = graphOf(kind);
      if (graph === undefined || isVideo === reverses(graphOf('audio'), 'audio')) return [];
      return unpaired(facts, graph, kind, graphOf(REVERSED[kind].other), (isVideo ? audio : video).copied);
    },
  },
};
