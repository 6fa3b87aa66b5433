import { cp, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { mayAsk } from '../recipes/checks/ask.ts';
import { FAMILIES } from '../recipes/families.ts';
import { recipeMedia } from '../recipes/media.ts';
import type { Made, Recipe } from '../recipes/recipe.ts';
import { watchAttempts } from '../support/attempt-watcher.ts';
import { testFolder } from '../support/folders.ts';
import { needs } from '../support/needs.ts';
import { type SharedServer, sharedServer } from '../support/shared-server.ts';
import { tools } from '../support/tools.ts';

let made: Promise<string> | undefined;

/** The inputs of all recipes, made once. */
function inputs(): Promise<string> {
  made ??= testFolder('recipes').then(async (folder) => {
    await recipeMedia(folder);
    return folder;
  });
  return made;
}

interface Watched extends SharedServer {
  readonly ended: (jobId: string) => Promise<void>;
}

/** A service with these settings, on inputs of its own. */
function serviceWith(env: Readonly<Record<string, string>>): () => Promise<Watched> {
  const start = sharedServer({ env: { TELECINE_CONCURRENCY: '2', ...env } });
  let ready: Promise<Watched> | undefined;
  return () => {
    ready ??= Promise.all([start(), inputs()]).then(async ([shared, folder]) => {
      await cp(folder, shared.server.mediaRoot, { recursive: true });
      return { ...shared, ended: watchAttempts(shared.server) };
    });
    return ready;
  };
}

/** What a recipe made that passed its checks: where another service makes the very same, nothing else is to be seen. */
const seen = new Map<Recipe, Buffer>();

async function run(watched: Watched, recipe: Recipe): Promise<void> {
  const { result, bytes } = await mayAsk(() => make(watched, recipe));
  const outputs = result.job.outputs ?? [];
  if (outputs.length === 1 && seen.get(recipe)?.equals(bytes)) return;
  await Promise.all(recipe.checks.map((check) => mayAsk(() => check(result))));
  seen.set(recipe, bytes);
}

interface Converted {
  readonly result: Made;
  /** Of the named output. */
  readonly bytes: Buffer;
}

async function make({ server, admin, ended }: Watched, { request }: Recipe): Promise<Converted> {
  const jobId = await admin.accept(request);
  await ended(jobId);
  const job = await admin.job(jobId);
  expect(job.error).toBeUndefined();
  expect(job).toMatchObject({ status: 'COMPLETED', attempt: 1 });

  const at = (path: string): string => join(server.mediaRoot, path);
  const { outputs = [] } = job;
  for (const output of outputs) expect((await stat(at(output.path))).size).toBe(output.sizeBytes);
  const file = at(outputs[0]?.path ?? '');
  return { result: { file, job, at }, bytes: await readFile(file) };
}

/** Why this ffmpeg cannot. */
const lacks = ({ goneSince }: Recipe): string | undefined =>
  goneSince !== undefined && Number.parseInt(tools().version, 10) >= goneSince
    ? `gone since ffmpeg ${goneSince}`
    : undefined;

const sandboxed = serviceWith({});

for (const [family, recipes] of Object.entries(FAMILIES))
  describe(family, () => {
    for (const recipe of recipes)
      needs('sandbox').concurrent(recipe.title, async ({ skip }) => {
        const why = lacks(recipe);
        if (why !== undefined) skip(why);
        await run(await sandboxed(), recipe);
      });
  });

/** Filters to which the checks give a file or a font. */
const WITH_FILES = /\b(?:subtitles|ass|drawtext|lut3d|haldclut|textfile)=/;

/** Without a sandbox the checks alone stand between a request and the host, and an expert's must pass them. */
describe('without a sandbox', () => {
  const bare = serviceWith({ TELECINE_SANDBOX: 'off' });
  for (const [family, recipes] of Object.entries(FAMILIES))
    for (const recipe of recipes.filter(
      ({ request }) => family === 'overlays' || WITH_FILES.test(JSON.stringify(request.parameters)),
    ))
      needs('ffmpeg').concurrent(`${family}: ${recipe.title}`, async ({ skip }) => {
        const why = lacks(recipe);
        if (why !== undefined) skip(why);
        await run(await bare(), recipe);
      });
});
