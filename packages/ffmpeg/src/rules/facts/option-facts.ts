export type OptionFacts = ReturnType<typeof readOptionFacts>;

const METADATA = /^-(?:map_metadata|map_chapters)(?::|$)/;

/** Filters that are meant to change the length of an output. */
const DURATION_FILTERS =
  /\b(?:a?setpts|asetrate|atempo|rubberband|a?trim|a?select|a?loop|tpad|apad|adelay|concat|xfade|acrossfade|decimate|thumbnail|tile|framestep|silenceremove|areverse|reverse|segment|asegment|telecine|fps|minterpolate|shuffleframes|palettegen|showspectrumpic|showwavespic)\b/;
const DURATION_OPTIONS =
  'frames itsscale sseof itsoffset shortest framerate stream_loop loop skip_frame discard r bsf target'.split(' ');
const RATE_FILTERS = /\b(?:aresample|asetrate|aformat)=/;

/** Reads the options of an argv. If a value begins with a dash, it is read as an option too, which can only hide a warning. */
export function readOptionFacts(argv: readonly string[]) {
  const names = new Set<string>();
  const metadataInputs: number[] = [];
  let [video, audio, complex] = ['', '', ''];
  for (const [index, word] of argv.entries()) {
    const [, name, specifier = ''] = /^-([a-z][\w-]*)(?::(.*))?$/i.exec(word) ?? [];
    if (name === undefined) continue;
    const value = argv[index + 1] ?? '';
    names.add(name);
    if (name === 'filter') {
      if (specifier.startsWith('a')) audio += `,${value}`;
      else video += `,${value}`;
    }
    if (name === 'filter_complex') complex += `;${value}`;
    if (METADATA.test(word)) metadataInputs.push(Number.parseInt(value, 10));
  }
  const has = (name: string): boolean => names.has(name);
  const hasComplexGraph = complex !== '';
  const filtersVideo = video !== '' || hasComplexGraph;
  return {
    /** True if the argv has an option with this name, with or without a stream specifier. */
    has,
    hasComplexGraph,
    /** The numbers of the inputs that `map_metadata` and `map_chapters` read. */
    metadataInputs,
    changesDuration: hasComplexGraph || DURATION_OPTIONS.some(has) || DURATION_FILTERS.test(`${video},${audio}`),
    setsSampleRate: has('ar') || has('target') || hasComplexGraph || RATE_FILTERS.test(audio),
    setsSize: ['s', 'target', 'lowres'].some(has) || filtersVideo,
    setsFrameRate: ['r', 'fps_mode', 'vsync', 'framerate', 'target', 'loop'].some(has) || filtersVideo,
  };
}
