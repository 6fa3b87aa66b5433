import { expect, test } from 'vitest';
import { CLI_RULES } from '../../packages/ffmpeg/src/allowlist/allowed-cli-options.ts';
import type { CatalogueSource } from '../../packages/ffmpeg/src/catalogue/registered-catalogue.ts';
import { planners } from '../../packages/service/src/jobs/ffmpeg/conversions.ts';
import { learning } from '../support/learning-catalogue.ts';
import { mediaRoot } from '../support/media-root.ts';
import { ON_THE_LOOP } from '../support/planning.ts';
import { freshCatalogue, RECORDED } from '../support/recorded-catalogue.ts';

const CONTEXT = { clientId: 'amy', root: mediaRoot('/'), policy: {} };

test.each(RECORDED)(
  'a request with any allowed option is planned for a fresh ffmpeg %s, also if its help does not list it',
  async (version) => {
    const fresh = freshCatalogue(version);
    for (const name of CLI_RULES.keys()) {
      const { live, asked } = learning(fresh);
      const { submissionPlanner } = planners(
        async () => ({ recent: [live as CatalogueSource], away: [] }),
        ON_THE_LOOP,
      );
      const request = { input: 'a.mp4', output: 'b.mkv', parameters: { 'c:v': 'libx264', [name]: '1' } };
      await expect(submissionPlanner(request, CONTEXT), name).resolves.toHaveProperty('ok');
      expect(asked().steps, name).toBeLessThan(5);
    }
  },
);
