import { expect, test } from 'vitest';
import type { Parameters } from '../../packages/contract/src/domain/conversion.ts';
import { errorsOf, requestWith, validPlan } from '../support/planning.ts';

/** Options that ffmpeg accepts, although they do nothing, or something else than people mean. */

test.each<[Parameters, output?: string]>([
  [{ 'b:a': '192k' }],
  [{ 'b:a': '320k', 'q:a': '0' }, 'b.mp3'],
  [{ crf: '23', 'b:v': '1M', bufsize: '2M' }],
  [{ 'b:a': '192k' }, 'b.mkv'],
  [{ 'c:v': 'dnxhd', 'b:v': '36M', s: '1920x1080', r: '25', pix_fmt: 'yuv422p' }, 'b.mov'],
  [{ crf: '0', 'c:v': 'libx264' }, 'b.mkv'],
  [{ crf: '0', pix_fmt: 'yuv420p10le' }],
  [{ crf: '0', 'c:v': 'libx265' }],
  [{ qp: '0' }],
  [{ hls_time: '10' }, 'b.m3u8'],
  [{ hls_time: '3600' }, 'b.m3u8'],
  [{ hls_time: '99999' }, 'b.m3u8'],
  [{ seg_duration: '4', frag_duration: '1' }, 'b.mpd'],
  [{ frag_duration: '500000' }],
  [{ vol: '512' }],
  [{ af: 'volume=15' }],
  [{ af: 'volume=20dB' }],
  [{ metadata: 'language=eng' }, 'b.mp3'],
  [{ metadata: 'title=The language=eng' }],
  [{ metadata: 'language=eng', 'metadata:s:a': 'language=eng' }],
])('%j has no warning', (parameters, output) => {
  expect(validPlan(requestWith(parameters, output)).warnings).toEqual([]);
});

test.each(['aac_he', 'aac_he_v2', 'aac_ld', 'aac_eld', '4', '28'])(
  'the profile %s of aac is rejected, because no decoder reads such a file',
  (profile) => {
    const parameters = { 'c:a': 'aac', 'profile:a': profile };
    const [error, ...others] = errorsOf(requestWith(parameters));
    expect(others).toEqual([]);
    expect(error).toMatchObject({ code: 'BAD_VALUE', allowed: expect.arrayContaining(['aac_low']) });
    expect(error?.message).toContain('only libfdk_aac');
  },
);

test.each(['aac_ltp', 'aac_ssr', '2', '3'])(
  'the profile %s of aac is rejected, because hardly any player decodes it',
  (profile) => {
    expect(errorsOf(requestWith({ 'c:a': 'aac', 'profile:a': profile }))).toMatchObject([
      {
        code: 'BAD_VALUE',
        message: expect.stringContaining('LTP and SSR'),
      },
    ]);
  },
);
