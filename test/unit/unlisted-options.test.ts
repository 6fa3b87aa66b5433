import { expect, test } from 'vitest';
import { CLI_RULES } from '../../packages/ffmpeg/src/allowlist/allowed-cli-options.ts';
import { catalogueOf } from '../../packages/ffmpeg/src/catalogue/parse-answers.ts';
import { planRequest, requestWith } from '../support/planning.ts';
import { RECORDED, recordedBuild, recordedCatalogue, recording } from '../support/recorded-catalogue.ts';

/** The catalogue of a build that does not say how it reads the word after `-NAME`. */
function unclearCatalogue(name: string) {
  const { answers } = recording('7.1');
  const line = new RegExp(`^(Reading option '-${name}' .*)\\.$`, 'm');
  expect(answers.options).toMatch(line);
  return catalogueOf(recordedBuild('7.1'), { ...answers, options: answers.options.replace(line, '$1, perhaps.') });
}

test('an option is not allowed if ffmpeg does not say whether it takes a value, also if an AVOption has its name', () => {
  for (const name of ['t', 'apply_cropping', 'ar']) {
    const planned = planRequest(requestWith({ [name]: '1' }, 'b.mkv'), { catalogue: unclearCatalogue(name) });
    expect(planned).toMatchObject({ ok: false, errors: [{ code: 'OPTION_NOT_ALLOWED' }] });
  }
});

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
