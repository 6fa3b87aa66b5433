import { type MediaFacts, TIMES } from './media-facts.ts';

export type OptionFacts = ReturnType<typeof readOptionFacts>;

const METADATA = /^-(?:map_metadata|map_chapters)(?::|$)/;

/** Filters that are meant to change the length of an output, besides those that change times. */
const DURATION_FILTERS = /^(?:fps|shuffleframes|showspectrumpic|showwavespic)$/;
const DURATION_OPTIONS =
  'frames itsscale sseof itsoffset shortest framerate stream_loop loop skip_frame discard r bsf target'.split(' ');
const RATE_FILTERS = /^(?:aresample|asetrate|aformat)$/;

/** Reads what the options and filters of a request change. If a value begins with a dash, it is read as an option too, which can only hide a warning. */
export function readOptionFacts(facts: Pick<MediaFacts, 'argv' | 'graphs' | 'complexGraphs' | 'usesFilter'>) {
  const { argv, graphs, complexGraphs } = facts;
  const words = argv.flatMap((word, index) => {
    const [, name] = /^-([a-z][\w-]*)(?::.*)?$/i.exec(word) ?? [];
    return name === undefined ? [] : [{ word, name, value: argv[index + 1] ?? '' }];
  });
  const names = new Set(words.map(({ name }) => name));
  const has = (name: string): boolean => names.has(name);
  const hasComplexGraph = complexGraphs.length > 0;
  const filtersVideo = hasComplexGraph || graphs.some(({ key }) => !key.startsWith('filter:a'));
  return {
    /** The numbers of the inputs that `map_metadata` and `map_chapters` read. */
    metadataInputs: words.flatMap(({ word, value }) => (METADATA.test(word) ? [Number.parseInt(value, 10)] : [])),
    changesDuration:
      hasComplexGraph || DURATION_OPTIONS.some(has) || facts.usesFilter(TIMES) || facts.usesFilter(DURATION_FILTERS),
    setsSampleRate: has('ar') || has('target') || hasComplexGraph || facts.usesFilter(RATE_FILTERS),
    setsSize: ['s', 'target', 'lowres'].some(has) || filtersVideo,
    setsFrameRate: ['r', 'fps_mode', 'vsync', 'framerate', 'target', 'loop'].some(has) || filtersVideo,
  };
}
