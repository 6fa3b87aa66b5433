import { cp, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, type ExpectStatic } from 'vitest';
import { joinBatch } from '../recipes/checks/ffmpeg-queries.ts';
import { FAMILIES } from '../recipes/families.ts';
import { recipeMedia } from '../recipes/media.ts';
import type { Recipe, RecipeResult } from '../recipes/recipe.ts';
import { testFolder } from '../support/folders.ts';
import { needs } from '../support/needs.ts';
import { type SharedServer, sharedServer } from '../support/shared-server.ts';
import { tools } from '../support/tools.ts';

let media: Promise<string> | undefined;

/** The folder with the inputs of all recipes, written once. */
function inputs(): Promise<string> {
  media ??= testFolder('recipes').then(async (folder) => {
    await recipeMedia(folder);
    return folder;
  });
  return media;
}

interface FilledServer extends SharedServer {
  /** A folder with the inputs and, once they are fetched, the outputs. */
  readonly folder: string;
}

/** A service with these settings and its own copy of the inputs. */
function serviceWith(env: Readonly<Record<string, string>>): () => Promise<FilledServer> {
  const start = sharedServer({ env: { TELECINE_CONCURRENCY: '2', ...env } });
  let ready: Promise<FilledServer> | undefined;
  return () => {
    ready ??= Promise.all([start(), inputs()]).then(async ([shared, folder]) => {
      const { media } = shared.server;
      await media.fill((root) => cp(folder, root, { recursive: true }));
      return { ...shared, folder: await media.localFolder() };
    });
    return ready;
  };
}

/** Outputs that passed their checks. If another service writes the same bytes, they need not be checked again. */
const checked = new Map<Recipe, Buffer>();

async function run(server: FilledServer, recipe: Recipe, expect: ExpectStatic): Promise<void> {
  const { result, bytes } = await joinBatch(() => convert(server, recipe, expect));
  const outputs = result.job.outputs ?? [];
  if (outputs.length === 1 && checked.get(recipe)?.equals(bytes)) return;
  await Promise.all(recipe.checks.map((check) => joinBatch(() => check(result))));
  checked.set(recipe, bytes);
}

interface Converted {
  readonly result: RecipeResult;
  /** The content of the named output. */
  readonly bytes: Buffer;
}

async function convert(
  { server, admin, folder }: FilledServer,
  { request, warnings = [] }: Recipe,
  expect: ExpectStatic,
): Promise<Converted> {
  const job = await admin.run(request);
  expect(job.error).toBeUndefined();
  expect(job).toMatchObject({ status: 'COMPLETED', attempt: 1 });
  expect(job.warnings ?? []).toEqual(warnings.map((code) => expect.objectContaining({ code })));

  const at = (path: string): string => join(folder, path);
  const { outputs = [] } = job;
  for (const { path, sizeBytes } of outputs) {
    await server.media.copyTo(folder, path);
    expect((await stat(at(path))).size).toBe(sizeBytes);
  }
  const file = at(outputs[0]?.path ?? '');
  return { result: { file, job, at }, bytes: await readFile(file) };
}

/** Why the installed ffmpeg cannot run a recipe. */
const missingFeature = ({ removedIn }: Recipe): string | undefined =>
  removedIn !== undefined && Number.parseInt(tools().version, 10) >= removedIn
    ? `removed in ffmpeg ${removedIn}`
    : undefined;

const sandboxed = serviceWith({});

for (const [family, recipes] of Object.entries(FAMILIES))
  describe(family, () => {
    for (const recipe of recipes)
      needs('sandbox').concurrent(recipe.title, async ({ expect, skip }) => {
        const reason = missingFeature(recipe);
        if (reason !== undefined) skip(reason);
        await run(await sandboxed(), recipe, expect);
      });
  });

/** Filters that open a file or a font. The checks replace its name. */
const FILE_FILTERS = /\b(subtitles|ass|drawtext|lut3d|haldclut|textfile)=/g;

const fileFiltersOf = ({ request }: Recipe): readonly string[] =>
  Array.from(JSON.stringify(request).matchAll(FILE_FILTERS), ([, name = '']) => name);

/**
 * Without a sandbox the checks must still accept what an expert would send, and ffmpeg must find the files. Finding
 * them depends only on the filter, so one recipe of each filter is run and the others are dry runs.
 */
describe('without a sandbox', () => {
  const unsandboxed = serviceWith({ TELECINE_SANDBOX: 'off' });
  const tested = new Set<string>();
  for (const [family, recipes] of Object.entries(FAMILIES))
    for (const recipe of recipes) {
      const filters = fileFiltersOf(recipe);
      if (family !== 'overlays' && filters.length === 0) continue;
      const isFirst = filters.some((filter) => !tested.has(filter));
      for (const filter of filters) tested.add(filter);
      needs('ffmpeg').concurrent(`${family}: ${recipe.title}`, async ({ expect, skip }) => {
        const reason = missingFeature(recipe);
        if (reason !== undefined) skip(reason);
        const server = await unsandboxed();
        if (isFirst) return run(server, recipe, expect);
        const reply = await server.admin.request('/api/conversion?dryRun=true', { body: recipe.request });
        expect(reply).toMatchObject({ status: 200 });
      });
    }
});
