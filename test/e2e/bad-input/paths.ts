import type { BadInput } from './case.ts';

/** Stands for the host path of the media root, which the test inserts. */
export const ROOT = '<root>';

const both = (title: string, path: string, code: string, text: RegExp): readonly BadInput[] => [
  { title: `an input ${title}`, body: { input: path }, field: '/input', code, text },
  { title: `an output ${title}`, body: { output: path, format: 'mka' }, field: '/output', code, text },
];

/** Paths of `song.mp3`, the input of the request. The test creates the links. */
const SPELLINGS = [
  'song.mp3',
  './song.mp3',
  '/song.mp3',
  './/song.mp3',
  '///song.mp3',
  'folder/../song.mp3',
  'none/../folder/./../song.mp3',
  `${ROOT}/song.mp3`,
  `${ROOT}//./song.mp3`,
  'soft.mp3',
  'hard.mp3',
  'folder/up/song.mp3',
  'folder/up/folder/up/hard.mp3',
];

/** What is told about a path that leaves the media root. */
const AT_ROOT = /outside your media root|relative to your media root/;

export const PATHS: readonly BadInput[] = [
  ...both('that leaves the media root by ..', '../x.mka', 'OUTSIDE_ROOT', AT_ROOT),
  ...both('that leaves the media root by .. after folders', 'a/b/../../../x.mka', 'OUTSIDE_ROOT', AT_ROOT),
  ...both('that leaves the media root by .. after a leading slash', '/../etc/passwd', 'OUTSIDE_ROOT', AT_ROOT),
  ...both('below a symlink that leaves the media root', 'way-out/x.mka', 'OUTSIDE_ROOT', AT_ROOT),
  ...both('that is a symlink that leaves the media root', 'link-out.mka', 'OUTSIDE_ROOT', AT_ROOT),
  ...both('that is a folder', 'folder', 'IS_DIRECTORY', /folder, not a file/),
  ...both('that ends in a slash', 'folder/', 'IS_DIRECTORY', /folder, not a file/),
  ...both('that is the media root', '/', 'IS_DIRECTORY', /folder, not a file/),
  ...both('that is a dot', '.', 'IS_DIRECTORY', /folder, not a file/),
  ...both('that is a named pipe', 'pipe.mka', 'NOT_A_FILE', /not a file/),
  ...both('with NUL', 'a\u0000.mka', 'CONTROL_CHARACTER', /control character/),
  ...both('with a line feed', 'a\n.mka', 'CONTROL_CHARACTER', /control character/),
  ...both('with an escape byte', 'a\u001b[31m.mka', 'CONTROL_CHARACTER', /control character/),
  ...both('with a name of 256 bytes', `${'x'.repeat(252)}.mka`, 'TOO_LONG', /255 bytes/),
  ...both('with a name of 256 bytes and fewer characters', `${'é'.repeat(126)}.mka`, 'TOO_LONG', /255 bytes/),
  ...both('of 4000 bytes', `${'folder/'.repeat(570)}x.mka`, 'TOO_LONG', /3072 bytes/),
  ...both('with the URL of an unsupported storage', 's3://bucket/key.mka', 'STORAGE_NOT_ALLOWED', /media root/),
  {
    title: 'an input that is an HTTP URL',
    body: { input: 'https://example.org/x.mka', output: 'a.mka' },
    field: '/input',
    code: 'STORAGE_NOT_ALLOWED',
    text: /Upload the file.*ask the operator to lift the limit "urls"/,
  },
  {
    title: 'an output that is an HTTP URL',
    body: { input: 'in.mp3', output: 'https://example.org/x.mka' },
    field: '/output',
    code: 'STORAGE_NOT_ALLOWED',
    text: /media root/,
  },
  ...both('in a reserved folder', '.telecine/x.mka', 'RESERVED_NAME', /"\.telecine"/),
  {
    title: 'a lone surrogate in an input',
    raw: '{"input":"a\\ud800.mp3","output":"a.mka"}',
    field: '/input',
    code: 'BAD_ENCODING',
    text: /lone surrogate/,
  },
  {
    title: 'a second input that leaves the media root',
    raw: '{"inputs":["song.mp3",{"input":"../x.mp3"}],"output":"a.mka"}',
    field: '/inputs/1/input',
    code: 'OUTSIDE_ROOT',
    text: AT_ROOT,
  },
  ...SPELLINGS.map((output) => ({
    title: `an output that is the input, written as ${output}`,
    body: { output, format: 'mp3', parameters: { y: '' } },
    field: '/output',
    code: 'OUTPUT_IS_INPUT',
    text: /same file as the input/,
  })),
  {
    title: 'an output that is the second input',
    raw: '{"inputs":["other.mp3","./folder/../hard.mp3"],"output":"song.mp3"}',
    field: '/output',
    code: 'OUTPUT_IS_INPUT',
    text: /same file as the input/,
  },
];
