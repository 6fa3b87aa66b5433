import { invalidRequest, Problem } from '@telecine/contract/domain/problem.ts';
import { suggest } from '@telecine/contract/domain/suggest.ts';
import type { OptionMeaning, OptionsQuery } from '@telecine/contract/wire/capabilities.ts';
import { usableNames } from '@telecine/ffmpeg/capabilities/components.ts';
import { allMeanings, meaningsOf } from '@telecine/ffmpeg/capabilities/option-lookup.ts';
import { componentMeanings } from '@telecine/ffmpeg/capabilities/options.ts';
import { type Catalogue, decoderNamed, encoderNamed } from '@telecine/ffmpeg/catalogue/catalogue.ts';
import type { Component, ComponentKind } from '@telecine/ffmpeg/catalogue/component.ts';
import { componentOf } from '@telecine/ffmpeg/catalogue/components.ts';
import { ALIAS_NAMES, aliasesOf } from '@telecine/ffmpeg/plan/request/option-name.ts';
import { type FindCatalogue, muxerNamed, notFound, type PageQuery, pageOf } from './search-page.ts';

/** The kinds of components that the fields of a query name. */
const OWNERS = {
  encoder: 'encoder',
  decoder: 'decoder',
  format: 'muxer',
  inputFormat: 'demuxer',
  filter: 'filter',
  bsf: 'bsf',
} as const satisfies Partial<Record<keyof OptionsQuery, ComponentKind>>;

const OWNER_NAMES = Object.keys(OWNERS) as readonly (keyof typeof OWNERS)[];

export const options = (find: FindCatalogue) => ({
  options: async (query: OptionsQuery) => {
    const catalogue = await find();
    const [first, second] = OWNER_NAMES.filter((name) => query[name] !== undefined);
    if (first === undefined) return pageOfMeanings(allMeanings(catalogue), query);
    if (second !== undefined) {
      const message = `"${first}" and "${second}" cannot be combined.`;
      throw invalidRequest([{ field: `/${second}`, code: 'CONFLICT', message }]);
    }
    const owner = findOwner(catalogue, query[first] ?? '', [OWNERS[first]], `/${first}`);
    return pageOfMeanings(componentMeanings(owner), query);
  },
  /**
   * Lists the options of a component of an input or an output. If several kinds of components have this name, uses the first one. Throws
   * INVALID_REQUEST for `/of`.
   */
  optionsOf: async (name: string, isInput: boolean, query: PageQuery) => {
    const catalogue = await find();
    const kinds = isInput
      ? (['decoder', 'demuxer', 'filter', 'bsf'] as const)
      : (['encoder', 'filter', 'muxer', 'bsf', 'decoder'] as const);
    return pageOfMeanings(componentMeanings(findOwner(catalogue, name, kinds, '/of')), query);
  },
  option: async (name: string): Promise<readonly OptionMeaning[]> => {
    const catalogue = await find();
    const found = meaningsOf(name, catalogue);
    if (!('code' in found)) return found;
    const { code, message } = found;
    const aliases = [...ALIAS_NAMES].map((alias) => ({ name: alias }));
    if (code === 'UNKNOWN_OPTION') throw notFound([...allMeanings(catalogue), ...aliases], { what: 'option', name });
    throw code === 'OPTION_NOT_ALLOWED' || code === 'NEEDS_DEVICE'
      ? notFound([], { what: 'option', name, rejection: message })
      : new Problem('NOT_FOUND', message, { errors: [suggest({ ...found, field: '/name' })] });
  },
});

/** A search finds an option also by its components, its words and, if it belongs to ffmpeg itself, its aliases. */
const pageOfMeanings = (meanings: readonly OptionMeaning[], query: PageQuery) =>
  pageOf(meanings, query, ({ name, of, constants = [] }) =>
    [...of, ...(of.includes('ffmpeg') ? aliasesOf(name) : []), ...constants.map((one) => one.name)].join(' '),
  );

/** Words for kinds in messages. */
const WORDS: Readonly<Record<string, string>> = {
  muxer: 'output format',
  demuxer: 'input format',
  bsf: 'bitstream filter',
};

/** Finds the first component with this name that requests may use. Throws INVALID_REQUEST about the first kind. */
function findOwner(catalogue: Catalogue, given: string, kinds: readonly ComponentKind[], field: string): Component {
  for (const kind of kinds) {
    const name = nameInFfmpeg(catalogue, kind, given);
    const isUsable = usableNames(catalogue, kind).includes(name ?? '');
    const component = isUsable ? componentOf(catalogue, kind, name ?? '') : undefined;
    if (component !== undefined) return component;
  }
  const [kind = 'encoder'] = kinds;
  const message = `Unknown or unsupported ${WORDS[kind] ?? kind} "${given.slice(0, 64)}".`;
  const nearest = { given, names: usableNames(catalogue, kind), is: 'value' } as const;
  throw invalidRequest([{ field, code: 'UNKNOWN_NAME', message, nearest }]);
}

/** The name of the component that ffmpeg uses for a name, such as `libx264` for `h264`. */
function nameInFfmpeg(catalogue: Catalogue, kind: ComponentKind, name: string): string | undefined {
  if (kind === 'encoder') return encoderNamed(catalogue, name)?.name;
  if (kind === 'decoder') return decoderNamed(catalogue, name)?.name;
  return kind === 'muxer' ? muxerNamed(catalogue, name) : name;
}
