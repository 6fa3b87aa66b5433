import { afterAll, beforeAll, beforeEach, expect, type Mock, test, vi } from 'vitest';
import type { ConversionRequest } from '../../packages/contract/src/domain/conversion.ts';
import { mediaRoot } from '../support/media-root.ts';
import { CATALOGUE, MEDIA_ROOT, ON_THE_LOOP } from '../support/planning.ts';

/** The modules that parse, each with the function that is counted. */
const PARSERS = {
  '../../packages/contract/src/domain/media-path.ts': 'parseMediaPath',
  '../../packages/ffmpeg/src/bsf/check-bsfs.ts': 'parseBsfs',
  '../../packages/ffmpeg/src/filtergraph/parse.ts': 'parseGraph',
  '../../packages/ffmpeg/src/plan/request/option-name.ts': 'parseOptionName',
} as const;

let planners: typeof import('../../packages/service/src/jobs/ffmpeg/conversions.ts')['planners'];

beforeAll(async () => {
  // Other files of this run have loaded the modules already, and share them.
  vi.resetModules();
  for (const path of Object.keys(PARSERS)) vi.doMock(path, { spy: true });
  ({ planners } = await import('../../packages/service/src/jobs/ffmpeg/conversions.ts'));
}, 30_000);

beforeEach(() => {
  vi.clearAllMocks();
});

afterAll(() => {
  for (const path of Object.keys(PARSERS)) vi.doUnmock(path);
  vi.resetModules();
});

const request: ConversionRequest = {
  inputs: ['a.mp4', { input: 'sub/b.mp4', parameters: { ss: '1', 'c:v': 'h264' } }, 'talk.srt'],
  output: 'hls/out.m3u8',
  parameters: {
    vcodec: 'libx264',
    filter_complex: '[0:v][1:v]overlay[x];[x]subtitles=talk.srt[v]',
    map: ['[v]', '0:a'],
    af: 'volume=2',
    'bsf:v': 'h264_metadata=level=4.1',
    hls_segment_filename: 'part_%03d.ts',
  },
};

const caller = { clientId: 'amy', root: mediaRoot(MEDIA_ROOT), policy: {} };

/** The texts that a parser was called with. */
async function textsParsedBy(path: keyof typeof PARSERS): Promise<readonly string[]> {
  const parser: Mock<(text: string) => unknown> = (await import(path))[PARSERS[path]];
  return parser.mock.calls.map(([text]) => text).sort();
}

test('planning parses each path, option name and graph once', async () => {
  const { planner } = planners(async () => ({ recent: [CATALOGUE], away: [] }), ON_THE_LOOP);
  expect(await (await planner(request, caller)).finish([])).toMatchObject({ ok: true });
  expect(await textsParsedBy('../../packages/ffmpeg/src/plan/request/option-name.ts')).toEqual(
    [...Object.keys(request.parameters ?? {}), 'ss', 'c:v'].sort(),
  );
  expect(await textsParsedBy('../../packages/ffmpeg/src/filtergraph/parse.ts')).toEqual([
    '[0:v][1:v]overlay[x];[x]subtitles=talk.srt[v]',
    'volume=2',
  ]);
  expect(await textsParsedBy('../../packages/ffmpeg/src/bsf/check-bsfs.ts')).toEqual(['h264_metadata=level=4.1']);
  // The graph names "talk.srt" and the option "part_%03d.ts". Each path is parsed once.
  expect(await textsParsedBy('../../packages/contract/src/domain/media-path.ts')).toEqual(
    ['a.mp4', 'sub/b.mp4', 'talk.srt', 'hls/out.m3u8', 'talk.srt', 'part_%03d.ts'].sort(),
  );
});
