import type { BadInput } from './case.ts';

/** The folder that the cases speak of; the test makes it. `ROOT` is replaced by the media root's host path. */
export const ROOT = '<root>';

const both = (title: string, path: string, code: string, tells: RegExp): readonly BadInput[] => [
  { title: `an input ${title}`, body: { input: path }, field: '/input', code, tells },
  { title: `an output ${title}`, body: { output: path, format: 'mka' }, field: '/output', code, tells },
];

/** Each names `song.mp3`, the input of the request, in another way. */
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

export const PATHS: readonly BadInput[] = [
  ...both('that leaves by ..', '../x.mka', 'OUTSIDE_ROOT', /inside your media root/),
  ...both('that leaves by .. later on', 'a/b/../../../x.mka', 'OUTSIDE_ROOT', /inside your media root/),
  ...both('that leaves from a leading slash', '/../etc/passwd', 'OUTSIDE_ROOT', /inside your media root/),
  ...both('that leaves by a link', 'way-out/x.mka', 'OUTSIDE_ROOT', /inside your media root/),
  ...both('that is a link out', 'link-out.mka', 'OUTSIDE_ROOT', /inside your media root/),
  ...both('that is a folder', 'folder', 'IS_DIRECTORY', /path of a file/),
  ...both('that ends in a slash', 'folder/', 'IS_DIRECTORY', /Name a file/),
  ...both('that is the root', '/', 'IS_DIRECTORY', /Name a file/),
  ...both('that is a dot', '.', 'IS_DIRECTORY', /Name a file/),
  ...both('that is a pipe', 'pipe.mka', 'NOT_A_FILE', /path of a file/),
  ...both('with NUL', 'a\u0000.mka', 'CONTROL_CHARACTER', /Leave it out/),
  ...both('with a line end', 'a\n.mka', 'CONTROL_CHARACTER', /control character/),
  ...both('with an escape byte', 'a\u001b[31m.mka', 'CONTROL_CHARACTER', /control character/),
  ...both('with a name of 256 bytes', `${'x'.repeat(252)}.mka`, 'TOO_LONG', /255 bytes/),
  ...both('with a name of 256 bytes in fewer characters', `${'é'.repeat(126)}.mka`, 'TOO_LONG', /255 bytes/),
  ...both('of 4000 bytes', `${'folder/'.repeat(570)}x.mka`, 'TOO_LONG', /3072 bytes/),
  ...both('of a store that is not set up', 's3://bucket/key.mka', 'STORAGE_NOT_ALLOWED', /media root/),
  ...both('that is an address', 'https://example.org/x.mka', 'STORAGE_NOT_ALLOWED', /media root/),
  ...both('in the service’s own folder', '.telecine/x.mka', 'RESERVED_NAME', /"\.telecine"/),
  {
    title: 'a lone surrogate in an input',
    raw: '{"input":"a\\ud800.mp3","output":"a.mka"}',
    field: '/input',
    code: 'BAD_ENCODING',
    tells: /whole pair/,
  },
  {
    title: 'a second input that leaves',
    raw: '{"inputs":["song.mp3",{"input":"../x.mp3"}],"output":"a.mka"}',
    field: '/inputs/1/input',
    code: 'OUTSIDE_ROOT',
    tells: /inside your media root/,
  },
  ...SPELLINGS.map((output) => ({
    title: `an output that is the input as ${output}`,
    body: { output, format: 'mp3', parameters: { y: '' } },
    field: '/output',
    code: 'OUTPUT_IS_INPUT',
    tells: /another path/,
  })),
  {
    title: 'an output that is the second input',
    raw: '{"inputs":["other.mp3","./folder/../hard.mp3"],"output":"song.mp3"}',
    field: '/output',
    code: 'OUTPUT_IS_INPUT',
    tells: /another path/,
  },
];
