/**
 * Records what an ffmpeg says about itself, for the tests and for the table of the recorded releases:
 *   node scripts/record-catalogue.ts FFMPEG VERSION
 * writes test/fixtures/ffmpeg-help/VERSION.json.br (some 1,700 queries, a minute or two), then the table
 * packages/ffmpeg/src/catalogue/recorded-releases.json from all recordings. Without arguments, it only writes the table.
 * See the README of the recordings.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { brotliCompressSync, constants } from 'node:zlib';
import pLimit from 'p-limit';
import { queryBuild } from '../packages/ffmpeg/src/catalogue/answers.ts';
import { identifyBuild } from '../packages/ffmpeg/src/catalogue/build.ts';
import { type Catalogue, componentKey } from '../packages/ffmpeg/src/catalogue/catalogue.ts';
import type { ComponentKind, ComponentName } from '../packages/ffmpeg/src/catalogue/component.ts';
import { buildComponent } from '../packages/ffmpeg/src/catalogue/components.ts';
import { ASKED_OPTIONS, catalogueOf } from '../packages/ffmpeg/src/catalogue/parse-answers.ts';
import type { ComponentFacts } from '../packages/ffmpeg/src/catalogue/recorded-releases.ts';
import { parseComponentHelp } from '../test/support/component-help.ts';
import { queryComponent, queryLists, queryOption } from '../test/support/query-ffmpeg.ts';
import { RECORDED, type Recording, recordedCatalogue, recording } from '../test/support/recorded-catalogue.ts';
import { requestableComponents } from '../test/support/requestable-components.ts';

/** Returns what the table must say, so that a component is as its own help describes it. undefined: nothing. */
function factsOf(catalogue: Catalogue, component: ComponentName, help: string): ComponentFacts | undefined {
  const { kind: _, name: __, options, classes, ...facts } = parseComponentHelp(component, help);
  const byRules = buildComponent(catalogue, component);
  const differing = Object.entries(facts).filter(
    ([name, value]) => !isDeepStrictEqual(byRules[name as 'inputs'], value),
  );
  // Another class with the same title has a number.
  const possible = classes.flatMap((title) => [title, ...[2, 3].map((n) => `${title} (${n})`)]);
  const found = [classes, ...possible.map((title) => [title])].find((some) =>
    isDeepStrictEqual(buildComponent(catalogue, component, { classes: some }).options, options),
  );
  const isByRules = isDeepStrictEqual(byRules.options, options);
  if (found === undefined && !isByRules)
    throw new Error(`The classes ${classes.join(', ')} do not give the options of ${componentKey(component)}.`);
  const entry = { ...(!isByRules && { classes: found }), ...Object.fromEntries(differing) } as ComponentFacts;
  return Object.keys(entry).length === 0 ? undefined : entry;
}

/** The recorded facts of one release. */
function factsOfRelease(version: (typeof RECORDED)[number]) {
  const { release, lists, options, components } = recording(version);
  const catalogue = recordedCatalogue(version);
  const helps = new Map(components);
  const existing = new Map(options.filter(([, { place }]) => place !== 'nowhere'));
  const facts = requestableComponents(catalogue).flatMap((component): [string, ComponentFacts][] => {
    const key = componentKey(component);
    const help = helps.get(key);
    if (help === undefined) throw new Error(`The recording of ffmpeg ${version} lacks ${key}. Record it again.`);
    const entry = factsOf(catalogue, component, help);
    return entry === undefined ? [] : [[key, entry]];
  });
  return {
    release,
    lacks: ASKED_OPTIONS.filter((name) => !existing.has(name)),
    lists: Object.fromEntries(Object.entries(lists).map(([name, names]) => [name, [...names].join(' ')])),
    places: Object.fromEntries([...existing].map(([name, { place }]) => [name, place])),
    components: Object.fromEntries(facts),
  };
}

type ReleaseFacts = ReturnType<typeof factsOfRelease>;

/** Leaves out what is the same as in the releases before. A component that follows the rules only in some releases gets an empty entry there. */
function withoutRepetition(releases: readonly ReleaseFacts[]): readonly ReleaseFacts[] {
  const known = {
    lists: new Map<string, unknown>(),
    places: new Map<string, unknown>(),
    components: new Map<string, unknown>(),
  };
  const changed = (part: keyof typeof known, now: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(
      Object.entries(now).filter(([name, value]) => {
        const isNew = !isDeepStrictEqual(known[part].get(name), value);
        known[part].set(name, value);
        return isNew;
      }),
    );
  const every = [...new Set(releases.flatMap(({ components }) => Object.keys(components)))];
  return releases.map((one) => {
    const { lists } = recordedCatalogue(one.release.join('.') as (typeof RECORDED)[number]);
    const plain = every.filter((key) => {
      const [kind = '', name = ''] = key.split('=');
      return !(key in one.components) && lists[`${kind as ComponentKind}s`].has(name);
    });
    const components = { ...one.components, ...Object.fromEntries(plain.map((key) => [key, {}])) };
    return {
      ...one,
      lists: changed('lists', one.lists),
      places: changed('places', one.places),
      components: changed('components', components),
    } as ReleaseFacts;
  });
}

/** JSON with one line for each fact, for reviews. */
const printed = (releases: readonly ReleaseFacts[]): string => {
  const record = (facts: Readonly<Record<string, unknown>>): string =>
    `{${Object.entries(facts).map(([name, value]) => `\n${JSON.stringify(name)}: ${JSON.stringify(value)}`)}\n}`;
  const release = ({ release: version, lacks, ...parts }: ReleaseFacts): string =>
    [
      `"release": ${JSON.stringify(version)}`,
      `"lacks": ${JSON.stringify(lacks)}`,
      ...Object.entries(parts).map(([name, facts]) => `"${name}": ${record(facts)}`),
    ].join(',\n');
  return `[\n${releases.map((one) => `{\n${release(one)}\n}`).join(',\n')}\n]\n`;
};

async function record(path: string, version: string): Promise<void> {
  const build = await identifyBuild(path);
  const answers = await queryBuild(build, ASKED_OPTIONS);
  const some = pLimit(2);
  const options = await some.map(ASKED_OPTIONS, async (name) => [name, await queryOption(build, name)] as const);
  const components = await some.map(
    requestableComponents(catalogueOf(build, answers)),
    async (component) => [componentKey(component), await queryComponent(build, component)] as const,
  );
  const { versionLine, version: whole, release } = build;
  const content: Recording = {
    ...{ versionLine, version: whole, release: release ?? [0, 0], answers, options, components },
    lists: await queryLists(build),
  };
  await writeFile(
    join(import.meta.dirname, `../test/fixtures/ffmpeg-help/${version}.json.br`),
    brotliCompressSync(JSON.stringify(content), {
      params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 },
    }),
  );
}

const [path, version] = process.argv.slice(2);
if (path !== undefined && version !== undefined) await record(path, version);
await writeFile(
  join(import.meta.dirname, '../packages/ffmpeg/src/catalogue/recorded-releases.json'),
  printed(withoutRepetition(RECORDED.map(factsOfRelease))),
);
