import { expect, test } from 'vitest';
import type { ConversionRequest } from './conversion.ts';
import { hiddenPartErrors, hiddenParts } from './hidden-parts.ts';
import { redactUrl } from './url-input.ts';

const fieldsOf = (request: ConversionRequest): readonly string[] => hiddenParts(request).map(({ field }) => field);

test('finds each hidden part of a request, at its JSON pointer', () => {
  const URL_PART = 'https://shop.example/a.mp4?(hidden)';
  expect(fieldsOf({ input: URL_PART })).toEqual(['/input']);
  expect(
    fieldsOf({
      inputs: [URL_PART, 'b.mp4', { input: URL_PART, parameters: { decryption_key: '(hidden)', r: '25' } }],
      outputs: [
        { output: 'a.mp4' },
        {
          output: 'b.mp4',
          parameters: { 'password:a': '(hidden)' },
          fallback: { segment_format_options: 'brand=isom:encryption_key=(hidden)' },
        },
      ],
      parameters: { cryptokey: ['(hidden)'], 'password:a/b~c': '(hidden)' },
      fallback: { encryption_key: '(hidden)' },
      analysis: { measure: ['ssim'], reference: URL_PART },
      callbackUrl: 'https://shop.example/hook?(hidden)',
    }),
  ).toEqual([
    '/inputs/0',
    '/inputs/2/input',
    '/inputs/2/parameters/decryption_key',
    '/outputs/1/parameters/password:a',
    '/outputs/1/fallback/segment_format_options',
    '/parameters/cryptokey',
    '/parameters/password:a~1b~0c',
    '/fallback/encryption_key',
    '/reference',
    '/callbackUrl',
  ]);
});

const LINK = `client~1700000000~1700000600~key~${'s'.repeat(43)}`;

test.each([
  'https://user:pass@shop.example/a.mp4',
  'https://shop.example/a.mp4?signature=s3cret',
  `https://telecine.example/api/conversion/1/links/${LINK}/a.mp4`,
  `HTTPS://shop.example/links/${LINK}`,
])('finds what a view makes of %s', (url) => {
  const shown = redactUrl(url);
  expect(shown).toContain('(hidden)');
  expect(fieldsOf({ input: shown, callbackUrl: shown })).toEqual(['/input', '/callbackUrl']);
  expect(fieldsOf({ input: url, callbackUrl: url })).toEqual([]);
});

test.each<[string, ConversionRequest]>([
  ['the name of a file', { input: 'films (hidden)/(hidden).mp4', output: '(hidden)/a.mp4' }],
  ['the name of a file at a URL', { input: 'https://shop.example/films(hidden)/a%20(hidden).mp4' }],
  ['the query of a URL', { input: 'https://shop.example/a.mp4?title=Film%20(hidden)#(hidden)' }],
  ['an option that is not secret', { parameters: { metadata: 'title=(hidden)', vf: 'drawtext=text=(hidden)' } }],
  ['notes', { metadata: { note: '(hidden)' } }],
])('"(hidden)" in %s is a text like others', (_what, request) => {
  expect(fieldsOf(request)).toEqual([]);
});

test('the error says what "(hidden)" is and what to send', () => {
  expect(
    hiddenPartErrors({ input: 'https://(hidden)@shop.example/a.mp4', parameters: { password: '(hidden)' } }),
  ).toEqual([
    {
      field: '/input',
      code: 'HIDDEN_PART',
      message:
        'The URL has "(hidden)", which replies show in place of a password, a query or a link. Only the retry of a job keeps it.',
    },
    {
      field: '/parameters/password',
      code: 'HIDDEN_PART',
      message:
        '"password" has "(hidden)", which replies show in place of a key or password. Only the retry of a job keeps it.',
    },
  ]);
});
