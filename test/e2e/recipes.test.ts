import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { FAMILIES } from '../recipes/families.ts';
import { recipeMedia } from '../recipes/media.ts';
import type { Made } from '../recipes/recipe.ts';
import { needs } from '../support/needs.ts';
import { sharedServer } from '../support/shared-server.ts';
import { tools } from '../support/tools.ts';

const start = sharedServer({ env: { TELECINE_CONCURRENCY: '2' } });
let media: Promise<void> | undefined;

async function ready() {
  const shared = await start();
  media ??= recipeMedia(shared.server.mediaRoot);
  await media;
  return shared;
}

for (const [family, recipes] of Object.entries(FAMILIES))
  describe(family, () => {
    for (const { title, request, checks, goneSince } of recipes)
      needs('sandbox').concurrent(title, async ({ skip }) => {
        if (goneSince !== undefined && Number.parseInt(tools().version, 10) >= goneSince)
          skip(`gone since ffmpeg ${goneSince}`);
        const { server, admin } = await ready();
        const job = await admin.run(request);
        expect(job.error).toBeUndefined();
        expect(job).toMatchObject({ status: 'COMPLETED', attempt: 1 });

        const at = (path: string): string => join(server.mediaRoot, path);
        const made: Made = { file: at(job.outputs?.[0]?.path ?? ''), job, at };
        for (const output of job.outputs ?? []) expect((await stat(at(output.path))).size).toBe(output.sizeBytes);
        for (const check of checks) await check(made);
      });
  });
