import { expect, test } from 'vitest';
import { promptFor } from './issuer-login.ts';

const PICKER = { prompt_values_supported: ['none', 'login', 'select_account'] };

test.each(['select_account', 'login', 'login consent', 'consent select_account'])(
  'another account is asked for by the prompt "%s" that the operator set, whatever the issuer lists',
  (configured) => {
    expect(promptFor({}, configured)).toBe(configured);
    expect(promptFor(PICKER, configured)).toBe(configured);
  },
);

test.each([null, 'none', 'consent'])(
  'with the prompt %j, another account is asked for as the issuer can',
  (configured) => {
    expect(promptFor(PICKER, configured)).toBe('select_account');
    expect(promptFor({ prompt_values_supported: ['login'] }, configured)).toBe('login');
    expect(promptFor({}, configured)).toBe('login');
  },
);
