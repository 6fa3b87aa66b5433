import { expect, test } from 'vitest';
import { HIDDEN, hideSecrets } from '../../packages/contract/src/domain/secret-options.ts';
import { avText } from '../../packages/ffmpeg/src/allowlist/av-text.ts';
import { RECORDED, recording } from '../support/recorded-catalogue.ts';

/** Options that a request may have and that sound like secrets, but are none. */
const HARMLESS = ['encryption_kid', 'encryption_scheme'];

const SECRET = /key|pass|secret|token|crypt|activation|audible|[_-]iv$/;

test.each(RECORDED)(
  'every option of ffmpeg %s that a request may have and that sounds like a secret is hidden',
  (release) => {
    const help = JSON.stringify(recording(release));
    const names = new Set(
      [...help.matchAll(/-([\w-]+) +<(?:string|binary|dictionary)>/g)].map(([, name = '']) => name),
    );
    const sounding = [...names].filter((name) => SECRET.test(name) && avText(name) !== undefined);
    expect(sounding).toContain('decryption_key');
    const shown = sounding.filter((name) => hideSecrets({ [name]: '0123' })[name] !== HIDDEN);
    expect(shown.sort()).toEqual(HARMLESS);
  },
);
