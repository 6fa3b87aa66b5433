// @module-tag long
import { expect, test } from 'vitest';
import type { Recipe } from '../../packages/contract/src/domain/recipe.ts';
import { growthError, type Prepare } from '../support/growth.ts';
import { startCounting } from '../support/work.ts';
import { numbers } from './request-cases.ts';

const counter = startCounting();
const { Problem } = await import('../../packages/contract/src/domain/problem.ts');
const { parseMediaPath } = await import('../../packages/contract/src/domain/media-path.ts');
const { foreignPath } = await import('../../packages/contract/src/domain/foreign-path.ts');
const { redactUrl } = await import('../../packages/contract/src/domain/url-input.ts');
const { secretHider } = await import('../../packages/contract/src/domain/secret-options.ts');
const { readCommand } = await import('../../packages/ffmpeg/src/command/read-command.ts');
const { sharedFolder } = await import('../../packages/service/src/files/named-files.ts');
const { parsePrefix } = await import('../../packages/service/src/files/file-path.ts');
const { readPrecondition } = await import('../../packages/service/src/http/transfer/file-transfer.ts');
const { parseLastEventId } = await import('../../packages/contract/src/wire/live-event.ts');
const { readLink } = await import('../../packages/contract/src/domain/signed-link.ts');
const { readAccessToken } = await import('../../packages/service/src/auth/access-tokens.ts');
const { readRange } = await import('../../packages/service/src/http/transfer/file-transfer.ts');
const { bearerToken } = await import('../../packages/service/src/http/auth/credential.ts');
const { orderBatch } = await import('../../packages/service/src/jobs/submit/check-batch.ts');
const { checkUrl } = await import('../../packages/service/src/outgoing/outgoing-policy.ts');
const { BUILT_IN } = await import('../../packages/service/src/recipes/built-in/all.ts');
const { checkRecipe } = await import('../../packages/service/src/recipes/check-recipe.ts');
const { expandPreset } = await import('../../packages/service/src/recipes/expand.ts');
const { parseFormula } = await import('../../packages/ffmpeg/src/expression/formula.ts');
const { indexRecipes, searchIndex } = await import('../../packages/service/src/recipes/search.ts');
const { unknownRecipe } = await import('../../packages/service/src/recipes/unknown-recipe.ts');
const { suggest } = await import('../../packages/contract/src/domain/suggest.ts');
const { search } = await import('../../packages/ffmpeg/src/capabilities/search.ts');
const { meaningsOf } = await import('../../packages/ffmpeg/src/capabilities/option-lookup.ts');
const { readNameCursor, readOffset, readCursor } = await import('../../packages/contract/src/wire/paging.ts');
const { batchBody } = await import('../../packages/contract/src/wire/conversion.ts');
const { fieldErrors } = await import('../../packages/contract/src/wire/explain.ts');
const { fixPatch } = await import('../../packages/contract/src/wire/fix-patch.ts');
const { parseJson } = await import('../../packages/contract/src/wire/json.ts');
const { splitSearch } = await import('../../packages/contract/src/domain/job-search.ts');
const { searchText } = await import('../../packages/contract/src/wire/job-search.ts');
const { metadataOfQuery, withMetadataQuery } = await import('../../packages/contract/src/wire/metadata.ts');
const { isJsonRpc, rpcRequestOf } = await import('../../packages/contract/src/wire/mcp-message.ts');
const { preferredWait } = await import('../../packages/contract/src/wire/prefer.ts');
const { recipeBody } = await import('../../packages/contract/src/wire/recipe.ts');
const { eachErrors, requestForFile, sizeOfEach } = await import('../../packages/contract/src/domain/each-file.ts');
const { wildcard } = await import('../../packages/contract/src/domain/wildcard.ts');
const { mediaRoot } = await import('../support/media-root.ts');
const { CATALOGUE, MEDIA_ROOT } = await import('../support/planning.ts');

const root = mediaRoot(MEDIA_ROOT);
const recipeIndex = await indexRecipes(BUILT_IN);

/** What is no formula is an error that is thrown. */
function readFormula(text: string): unknown {
  try {
    return parseFormula(text);
  } catch (error) {
    return error;
  }
}

const base64 = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Reads an access token whose key is known, so that its signature is compared. */
function readToken(text: string): unknown {
  const keys = { find: async () => new Uint8Array(32), signer: async () => ({ kid: 'k', key: new Uint8Array(32) }) };
  const issuer = { keys: keys as never, issuer: 'a', audience: 'a', now: () => 0 };
  return readAccessToken(issuer, text).catch((error: unknown) => error);
}

/** The schemas and their explanations, of bodies that they reject. */
function explained(schema: typeof batchBody | typeof recipeBody, value: unknown): unknown {
  const read = schema.safeParse(value);
  return read.success || fieldErrors(schema, read.error.issues, value);
}

type Reader<T> = (input: T) => unknown;
type Case = readonly [string, Prepare, number];

/** A reader, and inputs of a size by what is special about them. */
const inputsOf = <T>(
  name: string,
  read: Reader<T>,
  inputs: Readonly<Record<string, (size: number) => T>>,
  size = 120,
) =>
  Object.entries(inputs).map(
    ([title, inputOf]): Case => [
      `${name} of ${title}`,
      (of) => {
        const input = inputOf(of);
        return () => read(input);
      },
      size,
    ],
  );

const textsOf = (name: string, read: Reader<string>, parts: readonly string[], start = '', end = ''): readonly Case[] =>
  inputsOf(
    name,
    read,
    Object.fromEntries(parts.map((part) => [JSON.stringify(part), (size) => start + part.repeat(size) + end])),
  );

const list = (size: number, one: (number: string) => string): string => numbers(size).map(one).join(',');

const template = (text: string, values: Readonly<Record<string, string>>): Recipe => ({
  name: 'own',
  version: 1,
  title: 'Own',
  description: 'Own.',
  words: [],
  inputs: [{ role: 'film', description: 'A film.' }],
  outputs: ['mp4'],
  arguments: { t: { type: 'choice', description: 'T.', choices: values } } as unknown as Recipe['arguments'],
  request: { parameters: { vf: text } },
});

const CASES: readonly Case[] = [
  ...inputsOf('a JSON body', (text: string) => parseJson(Buffer.from(text)), {
    'names with equal values': (n) => `{"a":1${',"a":1'.repeat(n)}}`,
    'names with other values': (n) => `{"a":0,${list(n, (i) => `"a":${i}`)}}`,
    'many names': (n) => `{${list(n, (i) => `"${i}":1`)}}`,
    'many names twice': (n) => `{${list(n, (i) => `"${i}":1,"${i}":2`)}}`,
    'objects with names twice': (n) => `[${list(n, () => '{"a":1,"a":2}')}]`,
    'nested lists': (n) => '['.repeat(n) + ']'.repeat(n),
    'nested lists with an escape': (n) => `${'['.repeat(n)}"\\u0041"${']'.repeat(n)}`,
    'nested objects': (n) => `${'{"a":'.repeat(n)}1${'}'.repeat(n)}`,
    'nested objects with names twice': (n) => `${'{"a":1,"a":'.repeat(n)}1${'}'.repeat(n)}`,
    'lists of lists': (n) => `[${list(n, () => '[1]')}]`,
    'an error at the end': (n) => `{${list(n, (i) => `"${i}":1`)}`,
    'lines before an error': (n) => `${'\n'.repeat(n)}x`,
    'open strings': (n) => '"a"'.repeat(n),
    escapes: (n) => `"${'\\u0041'.repeat(n)}"`,
    quotes: (n) => `"${'\\"'.repeat(n)}"`,
    backslashes: (n) => `"${'\\\\'.repeat(n)}":`,
    spaces: (n) => ' '.repeat(n),
    'spaces before colons': (n) => `{"a"${' '.repeat(n)}:1}`,
    'zero characters': (n) => `[${list(n, () => '"\\u0000"')}]`,
    'forbidden names': (n) => `[${list(n, () => '{"__proto__":1}')}]`,
    'options twice': (n) => `{"parameters":{${list(n, (i) => `"vf":"hflip@${i}"`)}}}`,
    'long numbers': (n) => `[${'1'.repeat(n)}]`,
  }),
  ...textsOf('a path', (text) => parseMediaPath(text, MEDIA_ROOT), [
    'a',
    'a/',
    '/',
    '../',
    './',
    '\\',
    '%2e',
    'é',
    '\u0301',
    '.',
    ' ',
    'C:',
  ]),
  ...textsOf('a path of another machine', (text) => foreignPath(text), ['file:', 'subfile,', 'C:/', '~/', ' ']),
  ...textsOf('a prefix', (text) => parsePrefix(text, root), ['a/', '/', '../']),
  ...textsOf(
    'a request for each file',
    (text) => {
      const request = { each: `${text}*`, inputs: [text], output: text };
      return [eachErrors(request), sizeOfEach(request)('a.wav' as never), requestForFile(request, 'a.wav' as never)];
    },
    ['{name}', '{path}', '{', '{a', '.', '/', '*'],
  ),
  ...textsOf('a signed link', readLink, ['a', '.', '~', '1-', '%', ' ']),
  ...textsOf('a wildcard', (text) => wildcard(text.replaceAll('a', '*'))(text), ['a', 'ab', 'aa']),
  ...textsOf(
    'a URL',
    (text) => [redactUrl(text), checkUrl({ isPublicAllowed: true, hosts: [] }, text)],
    ['a/', 'a.', '@', '?', '&a=b', '#', '%41', ':'],
    'https://example.com/',
  ),
  ...textsOf(
    'a URL with a host',
    (text) => [redactUrl(text), checkUrl({ isPublicAllowed: true, hosts: [] }, text)],
    ['a.', '1.', ':', 'é', '@'],
    'http://',
    '/',
  ),
  ...textsOf(
    'a command',
    readCommand,
    [
      '-i a ',
      '-map 0 ',
      '-crf 1 ',
      "'",
      '"',
      '\\',
      '\\\n',
      '$a ',
      '$(',
      '${',
      '`',
      '~',
      '-a:b:c d ',
      'x ',
      '\n',
      '#',
      '1',
      '*',
      '{',
      '{a,',
      "$'",
      '-i file:a: ',
    ],
    'ffmpeg ',
  ),
  ...textsOf('a quoted command', readCommand, ['\\"', '$a', '$(', '`', ' -vf subtitles=a,'], 'ffmpeg -vf "'),
  ...textsOf('a path of Windows', readCommand, ['\\a'], 'ffmpeg -i C:'),
  ...inputsOf('the words of a command', readCommand, {
    'options of one name': (n) => numbers(n).flatMap((i) => ['-metadata', `a=${i}`]),
    'options of many names': (n) => numbers(n).flatMap((i) => [`-a${i}`, i]),
    inputs: (n) => numbers(n).flatMap((i) => ['-i', `${i}.mp4`]),
    outputs: (n) => ['-i', 'a', ...numbers(n).map((i) => `${i}.mp4`)],
    'filters that read files': (n) => ['-i', 'a', '-vf', list(n, (i) => `subtitles=${i}.srt`), 'b'],
  }),
  ...textsOf('a line with secrets', secretHider(['secretsecret', 'secretsecre2']), [
    'secret',
    'secretsecret',
    'a',
    ' ',
    'sE',
  ]),
  ...textsOf('If-None-Match', (text) => readPrecondition({ 'if-none-match': text }), [
    '"a",',
    '"a"',
    ',',
    ' ',
    'W/',
    'W/"',
    '" ',
    '"a" ,',
  ]),
  ...textsOf('If-Modified-Since', (text) => readPrecondition({ 'if-modified-since': text }), ['a', '1', ' ', '(', ',']),
  ...textsOf('Range', (text) => readRange(text, 1000), [' ', '1', '1-', '1-2,', '-'], 'bytes='),
  ...textsOf('Prefer', preferredWait, ['wait=1,', 'a,', ';', ',', ' ', '"', 'a;b,', 'until=change;']),
  ...textsOf(
    'an access token',
    readToken,
    ['a', 'YQ', '.', '-', '='],
    `${base64({ alg: 'HS256', kid: 'k' })}.`,
    `.${'A'.repeat(43)}`,
  ),
  ...textsOf(
    'an access token with claims',
    (text) => readToken(`${base64({ alg: 'HS256', kid: 'k' })}.${base64(text)}.${'A'.repeat(43)}`),
    ['a ', '{"a":', '1,'],
  ),
  ...textsOf('Last-Event-ID', parseLastEventId, ['1', '-', ' ']),
  ...textsOf('Authorization', bearerToken, [' ', 'a', 'Bearer ', '=', ','], 'Bearer '),
  ...textsOf('a search of jobs', (q) => [searchText.safeParse(q), splitSearch(q)], ['a', ' ', '"', '" "', 'É']),
  ...textsOf('a cursor', (text) => [readNameCursor, readCursor, readOffset].map((read) => read(text)), [
    'a',
    'YQ',
    '=',
    '_',
    ' ',
  ]),
  ...inputsOf(
    'a metadata filter',
    (query: object) => [withMetadataQuery({}).safeParse(query), metadataOfQuery(query as never)],
    {
      names: (n) => Object.fromEntries(numbers(n).map((i) => [`metadata.${i}`, 'a'])),
      'wrong names': (n) => Object.fromEntries(numbers(n).map((i) => [`metadata. ${i}`, 'a'])),
      'other names': (n) => Object.fromEntries(numbers(n).map((i) => [i, 'a'])),
      'a long name': (n) => ({ [`metadata.${'a'.repeat(n)}`]: 'a' }),
    },
  ),
  ...inputsOf('an MCP message', (message: object) => [isJsonRpc(message), rpcRequestOf(message, 'a')], {
    'a batch': (n) => Array.from({ length: n }, () => ({ a: 1 })),
    'a long method': (n) => ({ jsonrpc: '2.0', method: 'a\0'.repeat(n), params: { name: '\u202e'.repeat(n) } }),
    'many arguments': (n) => ({ jsonrpc: '2.0', params: Object.fromEntries(numbers(n).map((i) => [i, 1])) }),
  }),
  ...textsOf('a search for recipes', (text) => searchIndex(recipeIndex, text), [
    'convert ',
    'a ',
    'mp4 to ',
    'x',
    '1',
    '-',
    '.mp4 ',
  ]),
  ...textsOf('a search for filters', (text) => search(filters, text), ['scale ', 'a ', 'x']),
  ...textsOf('the name of an option', (text) => meaningsOf(text, CATALOGUE), ['a', ':', ':v', 'x:', '-']),
  ...textsOf('the name of a recipe', (text) => suggest(unknownRecipe(text, BUILT_IN)), ['a', 'web-', ' ']),
  // Who waits for whom is a square of the requests of a batch, which are at most 100.
  ...inputsOf(
    'the order of a batch',
    orderBatch,
    {
      'requests with equal names': (n) => numbers(n).map(() => ({ name: 'a' })),
      'unknown names': (n) => numbers(n).map((name) => ({ name, after: [`x${name}`] })),
      'a ring': (n) => numbers(n).map((name, at) => ({ name, after: [String(100_000 + ((at + 1) % n))] })),
    },
    6,
  ),
  ...inputsOf(
    'a batch',
    (value: unknown) => explained(batchBody, value),
    {
      requests: (n) => ({
        requests: numbers(n).map((i) => ({ input: 'a.mp4', output: `${i}.mp4`, parameters: { crf: '23' } })),
      }),
      'wrong requests': (n) => ({ requests: numbers(n).map((i) => ({ inputs: i, output: 1, [i]: 1 })) }),
      'unknown fields': (n) => ({ requests: [], ...Object.fromEntries(numbers(n).map((i) => [i, 1])) }),
    },
    6,
  ),
  ...inputsOf(
    'a recipe',
    (value: unknown) => explained(recipeBody, value),
    {
      'unknown fields': (n) => Object.fromEntries(numbers(n).map((i) => [i, 1])),
      'many options': (n) => ({
        ...template('', {}),
        request: { parameters: Object.fromEntries(numbers(n).map((i) => [i, '1'])) },
      }),
    },
    20,
  ),
  ...inputsOf('the check of a recipe', (recipe: Recipe) => checkRecipe(recipe), {
    references: (n) =>
      template(
        list(n, () => '{{t}}'),
        { a: 'b' },
      ),
    'unknown references': (n) =>
      template(
        list(n, (i) => `{{x${i}}}`),
        { a: 'b' },
      ),
    braces: (n) => template('{{'.repeat(n), { a: 'b' }),
    'closed braces': (n) => template('}}{{ '.repeat(n), { a: 'b' }),
    quotes: (n) => template("'{{t}}\\".repeat(n), { a: 'b' }),
    'spaces in references': (n) => template(`{{${' '.repeat(n)}`, { a: 'b' }),
    choices: (n) => template('{{t}}', Object.fromEntries(numbers(n).map((i) => [i, '{{t}}']))),
  }),
  ...inputsOf(
    'the expansion of a recipe',
    (recipe: Recipe) =>
      expandPreset({ input: 'a.mp4', output: 'b.mp4' }, { name: 'own', arguments: { t: 'a' } }, recipe),
    {
      references: (n) =>
        template(
          list(n, () => '{{t}}'),
          { a: 'b' },
        ),
      'unknown references': (n) =>
        template(
          list(n, (i) => `{{x${i}}}`),
          { a: 'b' },
        ),
      'references to references': (n) =>
        template(
          list(n, () => '{{t}}'),
          { a: '{{film}}'.repeat(100) },
        ),
    },
  ),
  ...inputsOf(
    'unknown arguments',
    (values: object) =>
      expandPreset(
        { input: 'a.mp4', output: 'b.mp4' },
        { name: 'own', arguments: values as never },
        template('{{t}}', { a: 'b' }),
      ),
    {
      'other names': (n) => Object.fromEntries(numbers(n).map((i) => [i, 'a'])),
    },
    20,
  ),
  ...inputsOf(
    'the folder that many deep paths share',
    sharedFolder,
    {
      deep: (n) => numbers(n).map((i) => `${'a/'.repeat(n)}${i}`),
      'at each depth': (n) => numbers(n).map((_, i) => `${'a/'.repeat(n - i)}b`),
    },
    20,
  ),
  ...textsOf('a formula', readFormula, ['1+', '(', '-', 'min(', 'a.b+', ' ', '1 ? 2 : ', '1', '1.']),
  ...textsOf(
    'the patch of a fix',
    (fix) => fixPatch({ parameters: { vf: 'a' } }, { field: '/parameters/vf', code: 'BAD_VALUE', message: 'a', fix }),
    ['a', '" and "b": "', ', ', '"b": "c" and ', '\\"', '["a", '],
    'Send "a": "b',
    '".',
  ),
];

const filters = numbers(50).map((name) => ({ name, description: 'Scale the input video.' }));

test.each(CASES)('the work to read a text grows linearly: %s', async (_title, prepare, size) => {
  const withoutProblems: Prepare = (of) => {
    const read = prepare(of);
    return () => {
      try {
        return read();
      } catch (error) {
        if (error instanceof Problem) return error;
        throw error;
      }
    };
  };
  expect(await growthError(counter, withoutProblems, size)).toBeUndefined();
});
