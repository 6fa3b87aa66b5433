import { expect, test } from 'vitest';
import { CLI_RULES } from '../../packages/ffmpeg/src/allowlist/allowed-cli-options.ts';
import { planRequest, requestWith } from '../support/planning.ts';
import { RECORDED, recordedCatalogue } from '../support/recorded-catalogue.ts';

test.each(RECORDED)(
  'a request with any allowed option is planned for ffmpeg %s, also if its help does not list it',
  (version) => {
    const catalogue = recordedCatalogue(version);
    for (const name of CLI_RULES.keys())
      expect(planRequest(requestWith({ 'c:v': 'libx264', [name]: '1' }, 'b.mkv'), { catalogue }), name).toHaveProperty(
        'ok',
      );
  },
);
