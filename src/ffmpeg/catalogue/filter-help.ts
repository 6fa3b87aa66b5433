import { FILTERS } from '../allowlist/filters.ts';
import { type ComponentHelp, componentKey, type ListedFilter } from './catalogue.ts';

/**
 * Filters whose own help says more than the list of filters and `-h full`: the options of a library that they use, or names of their
 * pads. The recordings of ffmpeg 5.1, 7.1 and 9.0 prove that there are no others.
 */
const SAYS_MORE: ReadonlySet<string> = new Set(['alimiter', 'aresample', 'scale', 'spp', 'tiltandshift', 'vmafmotion']);

const MEDIA: Readonly<Record<string, string>> = { A: 'audio', V: 'video' };

/** The classes of `-h full`: `NAME AVOptions:`, and a line for each option. */
const CLASSES = /^(?=\S.* AVOptions:$)/m;

/**
 * Returns the help of filters, as `ffmpeg -h filter=NAME` prints it, by key (`filter=NAME`): of those with one input and one output at
 * most whose options are a class with their name. They are most of the filters that requests may use, and need not be queried.
 *
 * @param full The output of `-h full`.
 */
export function filterHelp(
  full: string,
  filters: ReadonlyMap<string, ListedFilter>,
): ReadonlyMap<string, ComponentHelp> {
  const classes = new Map<string, string | undefined>();
  for (const text of full.split(CLASSES).slice(1)) {
    const name = text.slice(0, text.indexOf(' AVOptions:\n'));
    classes.set(name, classes.has(name) ? undefined : text);
  }
  const helps = new Map<string, ComponentHelp>();
  for (const [name, { inputs, outputs, description, timeline }] of filters) {
    const options = classes.get(name);
    const [before, after] = [padHelp(inputs, 'source'), padHelp(outputs, 'sink')];
    if (options === undefined || before === undefined || after === undefined) continue;
    if (!FILTERS.has(name) || SAYS_MORE.has(name)) continue;
    const note = timeline ? "\nThis filter has support for timeline through the 'enable' option.\n" : '';
    const pads = `    Inputs:\n${before}    Outputs:\n${after}`;
    const text = `Filter ${name}\n  ${description}\n${pads}${options.trimEnd()}\n${note}`;
    helps.set(componentKey({ kind: 'filter', name }), { text });
  }
  return helps;
}

/** The lines about the pads of a side: `V`, or `|` for none. Undefined if the list does not say all about them. */
function padHelp(pads: string, kind: 'source' | 'sink'): string | undefined {
  if (pads === '|') return `        none (${kind} filter)\n`;
  const media = MEDIA[pads];
  return media === undefined ? undefined : `       #0: default (${media})\n`;
}
