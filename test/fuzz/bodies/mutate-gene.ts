import type { Gene } from './gene.ts';

/** Random choices: a number in [0, 1). */
export type Random = () => number;

const oneOf = <T>(random: Random, all: readonly [T, ...T[]]): T => all[Math.floor(random() * all.length)] ?? all[0];

/** Texts that parsers of requests give a meaning, each with what closes it. */
const UNITS: readonly [readonly [unit: string, close: string], ...(readonly [string, string])[]] = [
  ...([
    '1:',
    'a=1:',
    'a:',
    'hflip,',
    'a,',
    '[a]',
    '[0:v]',
    '[a]null[b];',
    ';',
    ',',
    ':',
    '=',
    '|',
    '+',
    '+a',
    '\\',
    "'",
    '"',
  ] as const),
  ...([
    '1+',
    't*',
    'a ',
    ' ',
    '\n',
    '../',
    'a/',
    '%03d',
    '%',
    '*',
    '[*?',
    '0:v:',
    'v:0,a:0 ',
    '-',
    '.',
    '0',
    'a',
    'é',
    '1,',
  ] as const),
  ...([
    '{{a}}',
    '{{',
    '#',
    '&',
    '?a=1',
    '[f=mp4]a.mp4|',
    'c0=c1|',
    'c0+',
    'ref=1:',
    'id=0,streams=v ',
    'https://a.example/',
  ] as const),
].map((unit): readonly [string, string] => [unit, '']) as unknown as readonly [readonly [string, string]];
const NESTED: readonly [readonly [string, string], ...(readonly [string, string])[]] = [
  ['(', ')'],
  ['min(1,', ')'],
  ['[', ']'],
  ['{', '}'],
  ["'", "'"],
  ['-', ''],
];

/** Where a text becomes another kind: options, filters and formats whose values have parsers of their own. */
const STARTS: readonly [string, ...string[]] = [
  ...([
    '',
    'scale=',
    'split=2',
    'nullsrc',
    'drawtext=text=',
    'crop=w=',
    'select=',
    'pan=stereo|c0=',
    'geq=',
    'amix=inputs=',
    'expr:',
  ] as const),
  ...([
    'h264_metadata=',
    '[0:v]',
    '0:v:',
    'out.',
    'hls/%v/',
    's3://a/',
    'https://',
    '-',
    '+',
    'libx26',
    'a.mp',
  ] as const),
];
const NAMES: readonly [string, ...string[]] = [
  ...([
    'vf',
    'af',
    'filter_complex',
    'filter:v:',
    'map',
    'metadata',
    'bsf:v',
    'flags:v',
    'x264-params',
    'x265-params',
  ] as const),
  ...([
    'c:v',
    'pix_fmt',
    'force_key_frames',
    'var_stream_map',
    'adaptation_sets',
    'segment_times',
    'hls_segment_filename',
  ] as const),
  ...([
    'b:v',
    'crf',
    'crg',
    't',
    'ss',
    'f',
    'y',
    'disposition:v',
    'channel_layout',
    'input',
    'parameters',
    'a',
    'unknown',
  ] as const),
];

/** The largest counts of a mutated gene: larger sizes come from its scale. */
const COUNTS: readonly [number, ...number[]] = [1, 4, 16, 20, 64, 90, 256, 1000];

/** Changes one random part of a gene. */
export function mutate(gene: Gene, random: Random): Gene {
  const parts = countParts(gene);
  return changeAt(gene, Math.floor(random() * parts), random).gene;
}

const childrenOf = (gene: Gene): readonly Gene[] =>
  gene.kind === 'list'
    ? gene.items
    : gene.kind === 'object'
      ? [...gene.members.map((one) => one.gene), ...(gene.repeated ? [gene.repeated.gene] : [])]
      : [];

const countParts = (gene: Gene): number => childrenOf(gene).reduce((sum, one) => sum + countParts(one), 1);

/** Changes the part with this number, counted from the top. `left`: what is left of the number behind this part. */
function changeAt(gene: Gene, at: number, random: Random): { readonly gene: Gene; readonly left: number } {
  if (at === 0) return { gene: change(gene, random), left: -1 };
  let left = at - 1;
  const visit = (child: Gene): Gene => {
    if (left < 0) return child;
    const result = changeAt(child, left, random);
    left = result.left;
    return result.gene;
  };
  if (gene.kind === 'list') return { gene: { ...gene, items: gene.items.map(visit) }, left };
  if (gene.kind !== 'object') return { gene, left };
  const members = gene.members.map((one) => ({ ...one, gene: visit(one.gene) }));
  const repeated = gene.repeated && { ...gene.repeated, gene: visit(gene.repeated.gene) };
  return { gene: { ...gene, members, repeated }, left };
}

function change(gene: Gene, random: Random): Gene {
  switch (gene.kind) {
    case 'text':
      return changeText(gene, random);
    case 'list':
      return random() < 0.7 || gene.items.length === 0
        ? { ...gene, count: oneOf(random, COUNTS) }
        : { ...gene, items: [...gene.items, mutate(gene.items[0] as Gene, random)].slice(-4) };
    case 'object':
      return changeObject(gene, random);
    default:
      return oneOf<() => Gene>(random, [
        () => ({ kind: 'value', value: Math.floor(random() * 1e6) }),
        () => changeText({ kind: 'text', start: '', unit: '', close: '', count: 0 }, random),
      ])();
  }
}

function changeText(gene: Extract<Gene, { kind: 'text' }>, random: Random): Gene {
  return oneOf<() => Gene>(random, [
    () => {
      const [unit, close] = oneOf(random, random() < 0.8 ? UNITS : NESTED);
      return { ...gene, unit, close, count: Math.max(16, oneOf(random, COUNTS)) };
    },
    () => ({ ...gene, start: oneOf(random, STARTS) }),
    () => ({ ...gene, count: oneOf(random, COUNTS) }),
    () => ({ ...gene, unit: gene.unit + oneOf(random, UNITS)[0], count: Math.max(16, gene.count) }),
    () => ({ ...gene, unit: gene.start.slice(Math.floor(random() * gene.start.length)) || 'a', close: '', count: 64 }),
    () => ({ kind: 'list', items: [gene], count: oneOf(random, COUNTS) }),
  ])();
}

function changeObject(gene: Extract<Gene, { kind: 'object' }>, random: Random): Gene {
  const member = gene.members[Math.floor(random() * gene.members.length)];
  if (member === undefined) return gene;
  return oneOf<() => Gene>(random, [
    () => ({
      ...gene,
      repeated: {
        name: random() < 0.5 ? member.name : oneOf(random, NAMES),
        gene: member.gene,
        count: oneOf(random, COUNTS),
      },
    }),
    () => ({ ...gene, members: gene.members.filter((one) => one !== member) }),
    () => ({
      ...gene,
      members: gene.members.map((one) => (one === member ? { ...one, name: oneOf(random, NAMES) } : one)),
    }),
    () => ({ ...gene, members: [...gene.members, { name: oneOf(random, NAMES), gene: member.gene }].slice(-40) }),
    () => ({
      ...gene,
      members: gene.members.map((one) => (one === member ? { ...one, gene: mutate(one.gene, random) } : one)),
    }),
  ])();
}
