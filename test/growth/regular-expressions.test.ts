// @module-tag long
import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { type Expression, expressionsIn, slowness } from '../support/regular-expressions.ts';

const ROOT = resolve(import.meta.dirname, '../..');

/** Code for texts of the person who runs it, or of the operator. */
const OWN_TEXTS = /^packages\/(?:cli|client|service\/src\/(?:config|start))\//;

/** Slow expressions, by their source, with what bounds the texts that they read. */
const BOUNDED: Readonly<Record<string, string>> = {
  'packages/ffmpeg/src/catalogue/help-component.ts ^ {2}[ -](\\S+)\\s+(\\[?)<(\\w+)>\\s*\\]?\\s*([E.][D.][F.][V.][A.][S.][X.][R.][B.][T.][P.]?)(?: (.*))?$':
    'what the installed ffmpeg prints',
  'packages/ffmpeg/src/catalogue/help-component.ts ^ {5}(\\S.*?)\\s+(?:(-?\\d+)\\s+)?([E.][D.][F.][V.][A.][S.][X.][R.][B.][T.][P.]?)(?: (.*))?$':
    'what the installed ffmpeg prints',
  'packages/service/src/recipes/recipes-manual.ts \\n+$': 'the texts of the built-in recipes',
  'packages/ffmpeg/src/sandbox/limits.ts ^(Max [a-z ]+?) {2,}\\S+ +(\\d+) ': 'a file of the kernel',
  'packages/ffmpeg/src/catalogue/help-component.ts \\d+ channels \\((\\S+?)\\)': 'what the installed ffmpeg prints',
  'packages/ffmpeg/src/catalogue/help-full.ts ^-(\\w[\\w-]*)(.*)$': 'what the installed ffmpeg prints',
  'packages/ffmpeg/src/catalogue/help-full.ts  {2,}(\\S.*)$': 'what the installed ffmpeg prints',
  'packages/ffmpeg/src/catalogue/help-lists.ts ^ [D ][E ](?:[d ] | )(\\S+)\\s*(.*)$':
    'what the installed ffmpeg prints',
  'packages/ffmpeg/src/catalogue/help-lists.ts ^ ([VAS])(\\S{5}) (\\S+)\\s*(.*?)(?: \\(codec (\\S+)\\))?\\s*$':
    'what the installed ffmpeg prints',
  'packages/ffmpeg/src/catalogue/help-lists.ts ^ ([T.])[S.][C.]? (\\S+)\\s+([AVN|]+)->([AVN|]+)\\s+(.*)$':
    'what the installed ffmpeg prints',
};

const keyOf = ({ place, source }: Expression): string => `${place.replace(/:\d+$/, '')} ${source}`;

let literals: readonly Expression[] = [];
/** Those that code makes of texts while it is loaded. */
let made: readonly Expression[] = [];

beforeAll(async () => {
  const files = globSync('packages/*/src/**/*.ts', { cwd: ROOT }).filter(
    (file) => !file.endsWith('.test.ts') && !OWN_TEXTS.test(file) && file !== 'packages/cli/src/main.ts',
  );
  literals = files.flatMap((file) => expressionsIn(ROOT, file));
  const Original = RegExp;
  const found = new Map<string, Expression>();
  globalThis.RegExp = new Proxy(Original, {
    construct(target, args: [string, string?]) {
      const expression = new target(...args);
      const { source, flags } = expression;
      const [place] = /packages\/\w+\/src\/[\w/-]+\.ts/.exec(new Error('here').stack ?? '') ?? [];
      if (place !== undefined) found.set(`${place} ${source}`, { place: `${place}:0`, source, flags });
      return expression;
    },
  });
  const makers = files.filter((file) => readFileSync(resolve(ROOT, file), 'utf8').includes('RegExp('));
  for (const file of makers) await import(resolve(ROOT, file));
  globalThis.RegExp = Original;
  made = [...found.values()];
}, 60_000);

test('regular expressions take linear time, or read texts that are short', () => {
  expect(literals.length).toBeGreaterThan(1000);
  expect(made.length).toBeGreaterThan(20);
  const slow = [...literals, ...made].flatMap((one) => {
    const kind = slowness(one);
    return kind === undefined ? [] : [{ key: keyOf(one), text: `${one.place} ${kind} /${one.source}/` }];
  });
  expect(slow.filter(({ key }) => !(key in BOUNDED)).map(({ text }) => text)).toEqual([]);
  const keys = new Set(slow.map(({ key }) => key));
  expect(Object.keys(BOUNDED).filter((key) => !keys.has(key))).toEqual([]);
});

test.each([
  ['^(a+)+$', 'Self'],
  ['^\\s*=?\\s*$', 'Trade'],
  ['\\d+$', 'Move'],
])('a slow expression is found: %s', (source, kind) => {
  expect(slowness({ source, flags: '' })).toContain(kind);
});

test.each(['^a+$', '(?<!\\d)\\d+$', '^\\s*(?:=\\s*)?$', 'a{1,9}b'])('a linear expression is none: %s', (source) => {
  expect(slowness({ source, flags: '' })).toBeUndefined();
});
