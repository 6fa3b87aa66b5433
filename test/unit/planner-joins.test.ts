import { describe, expect, test } from 'vitest';
import type { ConversionRequest, InputSpec, Parameters } from '../../packages/contract/src/domain/conversion.ts';
import type { MediaStream } from '../../packages/contract/src/domain/media-info.ts';
import type { ProbedInput } from '../../packages/contract/src/domain/plan.ts';
import { CATALOGUE, draftRequest, errorCodesOf, errorsOf, validPlan, wholePlan } from '../support/planning.ts';

const VIDEO: MediaStream = {
  index: 0,
  type: 'video',
  codec: 'h264',
  width: 1280,
  height: 720,
  frameRate: 25,
  pixelFormat: 'yuv420p',
  timeBase: '1/12800',
  disposition: ['default'],
  isAttachedPicture: false,
  tags: {},
};

const AUDIO: MediaStream = {
  index: 1,
  type: 'audio',
  codec: 'aac',
  profile: 'LC',
  sampleRate: 48_000,
  channels: 2,
  channelLayout: 'stereo',
  timeBase: '1/48000',
  disposition: ['default'],
  tags: {},
};

/** A film of 10 s with these streams. */
const film = (
  video: Partial<MediaStream> | undefined = {},
  audio: Partial<MediaStream> | undefined = {},
  more: Partial<ProbedInput> = {},
): ProbedInput => ({
  format: { names: ['mov'], durationSeconds: 10, startSeconds: 0, tags: {} },
  streams: [
    ...(video === undefined ? [] : [{ ...VIDEO, ...video }]),
    ...(audio === undefined ? [] : [{ ...AUDIO, ...audio }]),
  ],
  ...more,
});
const muteFilm = (video: Partial<MediaStream> = {}): ProbedInput => ({
  ...film(video),
  streams: [{ ...VIDEO, ...video }],
});
const soundFile = (audio: Partial<MediaStream> = {}): ProbedInput => ({
  ...film(),
  streams: [{ ...AUDIO, index: 0, ...audio }],
});

const joined = (
  join: 'copy' | 'encode',
  inputs: readonly (string | InputSpec)[],
  parameters: Parameters = {},
  output = 'out.mp4',
): ConversionRequest => ({ inputs, join, output, parameters });

/** The words of the argv from the first input on. */
const commandOf = (request: ConversionRequest, media: readonly (ProbedInput | undefined)[]): string => {
  const [argv = []] = validPlan(request, { media }).passes;
  return argv
    .slice(argv.indexOf('pipe:1') + 1)
    .join(' ')
    .replaceAll(/-stats_period 0.5 |-protocol_whitelist file -format_whitelist \S+,\S+ /g, '');
};
const graphOf = (request: ConversionRequest, media: readonly (ProbedInput | undefined)[]): string =>
  / -filter_complex (.*?) -map /.exec(commandOf(request, media))?.[1] ?? '';

/** The catalogue of a build without these filters. */
const withoutFilters = (...names: readonly string[]) => ({
  ...CATALOGUE,
  lists: {
    ...CATALOGUE.lists,
    filters: new Map([...CATALOGUE.lists.filters].filter(([name]) => !names.includes(name))),
  },
});

/** What makes the colours of a picture those of HD, and what says so. */
const HD = 'out_color_matrix=bt709:out_range=tv,format=pix_fmts=yuv420p';
const HD_TAGS = 'setparams=range=tv:colorspace=bt709:color_primaries=bt709:color_trc=bt709';

describe('join: copy', () => {
  test('reads a list that contains only names and numbers of the service', () => {
    const evil = "it's\nfile 'etc.mp4";
    const plan = wholePlan(
      joined('copy', ['a b.mp4', { input: `${evil.replace('\n', ' ')}.mp4`, parameters: { ss: '4', t: '2' } }]),
      { media: [film(), film({}, {}, { keySeconds: 3.2 })] },
    );
    const whitelist = /option format_whitelist (\S+)\n/.exec(plan.texts?.[0]?.text ?? '')?.[1] ?? '';
    expect(whitelist.split(',')).toContain('mov');
    expect(whitelist.split(',')).not.toContain('concat');
    expect(plan.texts).toEqual([
      {
        logical: 'pass/inputs.ffconcat',
        text: [
          'ffconcat version 1.0',
          ...["file 'file:in/0.mp4'", 'option protocol_whitelist file', `option format_whitelist ${whitelist}`],
          ...["file 'file:in/1.mp4'", 'option protocol_whitelist file', `option format_whitelist ${whitelist}`],
          ...['inpoint 3.2', 'outpoint 6', ''],
        ].join('\n'),
      },
    ]);
    expect(plan.inputs.map(({ logical }) => logical)).toEqual(['in/0.mp4', 'in/1.mp4']);
    expect(plan.outputs[0]?.span.joined).toBeCloseTo(12.8);
  });

  test('is one input, whose streams are copied', () => {
    expect(commandOf(joined('copy', ['a.mp4', 'b.mp4']), [film(), film()])).toBe(
      '-f concat -safe 0 -protocol_whitelist file -format_whitelist concat -i file:pass/inputs.ffconcat ' +
        '-c copy -f mp4 file:out/out.mp4',
    );
    expect(commandOf(joined('copy', ['a.mp4', 'b.mp4'], { map: '0', 'c:a': 'aac' }), [film(), film()])).toContain(
      '-c copy -map 0 -c:a aac',
    );
    expect(errorCodesOf(joined('copy', ['a.mp4', 'b.mp4'], { map: '1:a' }))).toEqual(['/parameters/map NO_SUCH_INPUT']);
  });

  test.each<[string, ProbedInput, string]>([
    ['another codec', film({ codec: 'hevc' }), 'video of hevc'],
    ['samples of other bits', film({}, { sampleFormat: 's32' }), 'audio of samples in s32'],
    ['another size', film({ width: 640, height: 360 }), 'video of 640x360'],
    ['another pixel format', film({ pixelFormat: 'yuv422p' }), 'video of yuv422p'],
    ['another time base', film({ timeBase: '1/15360' }), 'video of time base 1/15360'],
    ['another rotation', film({ rotationDegrees: 90 }), 'video of turned by 90°'],
    ['another sample rate', film({}, { sampleRate: 44_100, timeBase: '1/44100' }), 'audio of 44100 Hz'],
    ['other channels', film({}, { channels: 1, channelLayout: 'mono' }), 'audio of mono'],
    ['no sound', muteFilm(), 'the streams 0 (video)'],
    [
      'another order',
      {
        ...film(),
        streams: [
          { ...AUDIO, index: 0 },
          { ...VIDEO, index: 1 },
        ],
      },
      '0 (audio), 1 (video)',
    ],
  ])('rejects a film with %s, and names both', (_what, other, difference) => {
    const [error, ...more] = errorsOf(joined('copy', ['a.mp4', 'b.mp4']), { media: [film(), other] });
    expect(more).toEqual([]);
    expect(error).toMatchObject({ field: '/inputs/1', code: 'DIFFERENT_INPUTS' });
    expect(error?.message).toContain('"b.mp4" cannot follow "a.mp4" without encoding');
    expect(error?.message).toContain(difference);
    expect(error?.message).toContain('"join": "encode" fits them together.');
  });

  test.each([
    ['vorbis', 'ogg'],
    ['theora', 'ogg'],
    ['alac', 'mov'],
    ['wmav2', 'asf'],
    ['mpeg4', 'mov'],
    ['ffv1', 'avi'],
  ])('rejects %s of other settings, which would be noise', (codec, container) => {
    const media = (hash: string): ProbedInput => ({
      ...film({}, { codec }),
      format: { ...film().format, names: [container] },
      headers: new Map([[1, hash]]),
    });
    const [error] = errorsOf(joined('copy', ['a.mkv', 'b.mkv']), { media: [media('MD5:1'), media('MD5:2')] });
    expect(error).toMatchObject({ field: '/inputs/1', code: 'DIFFERENT_INPUTS' });
    expect(error?.message).toContain(`others (${codec} in stream 1)`);
  });

  test.each(['aac', 'flac', 'opus', 'pcm_s16le', 'ac3'])(
    'accepts %s of other encoders, which needs no header of the file',
    (codec) => {
      const media = (hash: string): ProbedInput => ({ ...film({}, { codec }), headers: new Map([[1, hash]]) });
      expect(errorCodesOf(joined('copy', ['a.mkv', 'b.mkv']), { media: [media('MD5:1'), media('MD5:2')] })).toEqual([]);
    },
  );

  test('rejects a film whose encoder had other settings, if only its header tells them', () => {
    const media = (codec: string, hash: string, names = ['mov']): ProbedInput => {
      const one = film({ codec });
      return { ...one, format: { ...one.format, names }, headers: new Map([[0, hash]]) };
    };
    const fits = (...both: [ProbedInput, ProbedInput]) =>
      errorCodesOf(joined('copy', ['a.mp4', 'b.mp4']), { media: both }).length === 0;
    expect(fits(media('hevc', 'MD5:1'), media('hevc', 'MD5:2'))).toBe(false);
    expect(fits(media('hevc', 'MD5:1'), media('hevc', 'MD5:1'))).toBe(true);
    expect(fits(media('h264', 'MD5:1'), media('h264', 'MD5:2'))).toBe(true);
    expect(fits(media('hevc', 'MD5:1', ['mpegts']), media('hevc', 'MD5:2', ['mpegts']))).toBe(true);
  });

  test('accepts another profile, rate and time codes, and warns about the rate', () => {
    const other = film({ profile: 'Main', frameRate: 30 });
    const timeCode: MediaStream = { index: 2, type: 'data', disposition: [], tags: {} };
    const media = [film(), { ...other, streams: [...other.streams, timeCode] }];
    const { warnings } = wholePlan(joined('copy', ['a.mp4', 'b.mp4']), { media });
    expect(warnings.map(({ field, code }) => `${field} ${code}`)).toEqual(['/inputs/1 VARYING_RATE']);
    const phone = [film({ frameRate: 29.97 }), film({ frameRate: 29.6 })];
    expect(wholePlan(joined('copy', ['a.mp4', 'b.mp4']), { media: phone }).warnings).toEqual([]);
  });

  test('warns about a clip that begins at an earlier key frame, also by itself', () => {
    const parameters = { ss: '4' };
    const at = (keySeconds: number) => film({}, {}, { keySeconds });
    const codes = (second: string | InputSpec, media: ProbedInput) =>
      wholePlan(joined('copy', ['a.mp4', second]), { media: [at(0), media] }).warnings.map(({ code }) => code);
    expect(codes({ input: 'b.mp4', parameters }, at(3.2))).toEqual(['EARLIER_START']);
    expect(codes({ input: 'b.mp4', parameters }, at(4))).toEqual([]);
    expect(codes('b.mp4', at(-2.5))).toEqual(['EARLIER_START']);
    expect(codes('b.mp4', at(-0.08))).toEqual([]);
  });

  test.each<[string, string | InputSpec, Parameters, string]>([
    ['a picture', { input: 'b.png', duration: '3' }, {}, '/inputs/1/input NEEDS_ENCODER'],
    ['a source', { source: 'color=c=red', duration: '3' }, {}, '/inputs/1/source NEEDS_ENCODER'],
    [
      'options that need decoding',
      { input: 'b.mp4', parameters: { itsoffset: '1' } },
      {},
      '/inputs/1/parameters/itsoffset WRONG_SIDE',
    ],
    ['filters', 'b.mp4', { vf: 'hflip' }, '/parameters/vf COPY_AND_FILTER'],
  ])('rejects %s', (_what, second, parameters, code) => {
    expect(errorCodesOf(joined('copy', ['a.mp4', second], parameters))).toContain(code);
  });
});

describe('join: encode', () => {
  test('fits pictures into the largest size, at the highest rate, with the most channels', () => {
    const media = [
      film({ width: 640, height: 360, frameRate: 24 }, { channels: 1, channelLayout: 'mono', sampleRate: 44_100 }),
      film({ rotationDegrees: 90, width: 1920, height: 1080, frameRate: 29.97003, pixelFormat: 'yuv420p10le' }),
      film({ width: 720, height: 576, sampleAspectRatio: '64:45' }),
    ];
    expect(commandOf(joined('encode', ['a.mp4', 'b.mp4', 'c.mp4']), media)).toBe(
      '-i file:in/0.mp4 -i file:in/1.mp4 -i file:in/2.mp4 -filter_complex ' +
        `[0:0]scale=width=1080:height=608:${HD},pad=width=1080:height=1920:x=(ow-iw)/2:y=(oh-ih)/2,setsar=sar=1,fps=fps=30000/1001,${HD_TAGS}[v0];` +
        '[0:1]aformat=sample_rates=48000:channel_layouts=stereo[a0];' +
        `[1:0]scale=width=1080:height=1920:in_color_matrix=bt709:${HD},setsar=sar=1,fps=fps=30000/1001,${HD_TAGS}[v1];[1:1]anull[a1];` +
        `[2:0]scale=width=1080:height=608:${HD},pad=width=1080:height=1920:x=(ow-iw)/2:y=(oh-ih)/2,setsar=sar=1,fps=fps=30000/1001,${HD_TAGS}[v2];` +
        '[2:1]anull[a2];' +
        '[v0][a0][v1][a1][v2][a2]concat=n=3:v=1:a=1[joined_v][joined_a] ' +
        '-map [joined_v] -map [joined_a] -f mp4 file:out/out.mp4',
    );
  });

  test('uses the size, rate, pixel format and sound that the client sends', () => {
    const parameters = { s: '640x640', r: '12.5', pix_fmt: 'yuv444p', ar: '22050', ac: '1' };
    const graph = graphOf(joined('encode', ['a.mp4', 'b.mp4'], parameters), [film(), film()]);
    expect(graph).toContain(
      '[0:0]scale=width=640:height=360:in_color_matrix=bt709:out_color_matrix=bt709:out_range=tv,format=pix_fmts=yuv444p,pad=width=640:height=640:',
    );
    expect(graph).toContain(`fps=fps=12.5,${HD_TAGS}[v0]`);
    expect(graph).toContain('aformat=sample_rates=22050:channel_layouts=mono[a0]');
  });

  describe('gives all pictures one meaning of colours', () => {
    const tagged = (more: Partial<MediaStream>) =>
      film({ colorSpace: 'bt709', colorPrimaries: 'bt709', colorTransfer: 'bt709', ...more });
    const sd = { width: 720, height: 576, colorSpace: 'bt470bg', colorPrimaries: 'bt470bg', colorTransfer: 'bt470bg' };
    const PAL = 'setparams=range=tv:colorspace=bt470bg:color_primaries=bt470bg:color_trc=bt470bg';
    const two: readonly string[] = ['a.mp4', 'b.mp4'];

    test.each<[string, readonly ProbedInput[], string, string]>([
      ['that of the films if they agree', [tagged(sd), tagged(sd)], 'out_color_matrix=bt470:out_range=tv', PAL],
      ['BT.709 for HD beside SD', [tagged(sd), tagged({})], 'out_color_matrix=bt709:out_range=tv', HD_TAGS],
      [
        'that which players assume by the size, if a file does not say it',
        [film({ height: 480, width: 640 }), film({ height: 480, width: 640 })],
        'out_color_matrix=smpte170m:out_range=tv',
        'setparams=range=tv:colorspace=smpte170m:color_primaries=smpte170m:color_trc=smpte170m',
      ],
      ['the limited range of a phone', [film({ pixelFormat: 'yuvj420p' }), film()], 'out_range=tv', HD_TAGS],
    ])('%s', (_what, media, scaled, tags) => {
      const graph = graphOf(joined('encode', two), media);
      for (const label of ['v0', 'v1'])
        expect(graph).toMatch(new RegExp(`scale=[^;]*${scaled}[^;]*${tags.replaceAll('.', '\\.')}\\[${label}\\]`));
    });

    test('also of cards, photos and black pictures', () => {
      const photo = film({ codec: 'mjpeg', pixelFormat: 'yuvj420p', frameCount: 1 });
      const graph = graphOf(
        joined('encode', [
          { source: 'color=c=red', duration: '1' },
          { input: 'a.jpg', duration: '1' },
          'b.mp3',
          'c.mp4',
        ]),
        [undefined, photo, soundFile(), film()],
      );
      expect(graph.match(new RegExp(HD_TAGS, 'g'))).toHaveLength(4);
      expect(graph.match(/out_color_matrix=bt709:out_range=tv/g)).toHaveLength(3);
    });

    test('none in RGB', () => {
      const graph = graphOf(joined('encode', two, { 'c:v': 'png', pix_fmt: 'rgb24' }, 'out.mkv'), [film(), film()]);
      expect(graph).not.toMatch(/setparams|out_color_matrix/);
    });

    const hdr = (transfer = 'smpte2084') =>
      film({
        ...{ colorSpace: 'bt2020nc', colorPrimaries: 'bt2020', colorTransfer: transfer, pixelFormat: 'yuv420p10le' },
        codec: 'hevc',
      });
    const X265 = { 'c:v': 'libx265' };

    test('keeps HDR of one kind if the encoder takes 10 bits', () => {
      const graph = graphOf(joined('encode', two, X265), [hdr(), hdr()]);
      expect(graph).not.toContain('tonemap');
      expect(graph).toContain('setparams=range=tv:colorspace=bt2020nc:color_primaries=bt2020:color_trc=smpte2084[v0]');
      expect(graph).toContain('format=pix_fmts=yuv420p10le');
    });

    test.each<[string, Parameters, readonly ProbedInput[], number]>([
      ['beside other clips', X265, [hdr(), film({ pixelFormat: 'yuv420p10le' })], 1],
      ['of two kinds', X265, [hdr(), hdr('arib-std-b67')], 2],
      ['for an encoder of 8 bits', {}, [hdr(), hdr()], 2],
      ['in a pixel format of 8 bits', { ...X265, pix_fmt: 'yuv420p' }, [hdr(), hdr()], 2],
    ])('maps HDR %s to the ordinary range', (_what, parameters, media, count) => {
      const graph = graphOf(joined('encode', two, parameters), media);
      expect(graph.match(/tonemap=tonemap=hable/g)).toHaveLength(count);
      expect(graph.match(new RegExp(HD_TAGS, 'g'))).toHaveLength(2);
    });

    test('says which clip is HDR if no filter can map it', () => {
      const catalogue = withoutFilters('zscale');
      const errors = errorsOf(joined('encode', two), { media: [film(), hdr()], catalogue });
      expect(errors).toMatchObject([{ field: '/inputs/1', code: 'UNKNOWN_FILTER' }]);
    });
  });

  test.each<[string, Parameters, string]>([
    ['no encoder', {}, 'yuv420p'],
    ['H.264', { 'c:v': 'libx264' }, 'yuv420p'],
    ['H.265', { 'c:v': 'libx265' }, 'yuv420p10le'],
    ['ProRes', { 'c:v': 'prores_ks' }, 'yuv422p10le'],
  ])('keeps the bits of the clips if players show them: %s', (_what, parameters, wanted) => {
    const media = [film({ pixelFormat: 'yuv422p10le' }), film({ pixelFormat: 'yuv422p10le' })];
    expect(graphOf(joined('encode', ['a.mov', 'b.mov'], parameters, 'out.mov'), media)).toContain(
      `format=pix_fmts=${wanted}`,
    );
  });

  test('makes whole frames of an interlaced clip before it scales', () => {
    const graph = graphOf(joined('encode', ['a.mp4', 'b.mp4']), [film({ fieldOrder: 'tt' }), film()]);
    expect(graph).toContain('[0:0]bwdif=mode=send_frame:deint=interlaced,scale=');
    expect(graph).toContain('[1:0]scale=');
  });

  test('makes silence and black pictures of the length of a clip', () => {
    const media = [muteFilm(), film(), soundFile(), muteFilm()];
    const graph = graphOf(
      joined('encode', ['a.mp4', 'b.mp4', 'c.mp3', { input: 'd.mp4', parameters: { ss: '4', t: '3' } }]),
      media,
    );
    expect(graph).toContain('anullsrc=channel_layout=stereo:sample_rate=48000,atrim=duration=9.96[a0]');
    expect(graph).toContain(
      `color=color=black:size=1280x720:rate=25:duration=10,setsar=sar=1,format=pix_fmts=yuv420p,${HD_TAGS}[v2]`,
    );
    expect(graph).toContain('[2:0]anull[a2]');
    // The last clip: nothing after it could be delayed.
    expect(graph).toContain('atrim=duration=3[a3]');
  });

  test('skips covers, and has only what all of the output can have', () => {
    const cover: MediaStream = { ...VIDEO, codec: 'mjpeg', isAttachedPicture: true };
    const podcast = { ...film(), streams: [cover, AUDIO] };
    expect(graphOf(joined('encode', ['a.mp3', 'b.mp3'], {}, 'out.mp3'), [podcast, soundFile()])).toBe(
      '[0:1]anull[a0];[1:0]anull[a1];[a0][a1]concat=n=2:v=0:a=1[joined_a]',
    );
    expect(graphOf(joined('encode', ['a.mp4', 'b.mp4'], {}, 'out.gif'), [film(), film()])).not.toContain('a0');
    expect(graphOf(joined('encode', ['a.mp4', 'b.mp4'], { an: '' }), [film(), film()])).not.toContain('a0');
    expect(graphOf(joined('encode', ['a.mp4', 'b.mp4'], {}, 'out.wav'), [film(), film()])).not.toContain('v0');
  });

  test('applies vf and af to the joined video, also graphs with branches', () => {
    const parameters = { vf: 'split[x][y];[x]crop=100:100[z];[y][z]overlay', af: 'volume=0.5,afade=d=1' };
    const graph = graphOf(joined('encode', ['a.mp4', 'b.mp4'], parameters), [film(), film()]);
    expect(graph).toContain(
      '[joined_v]split[picture_x][picture_y];[picture_x]crop=out_w=100:out_h=100[picture_z];[picture_y][picture_z]overlay[filtered_v];' +
        '[joined_a]asettb=expr=1/sr[sampled_a];[sampled_a]volume=volume=0.5,afade=d=1[filtered_a]',
    );
    expect(commandOf(joined('encode', ['a.mp4', 'b.mp4'], parameters), [film(), film()])).toContain(
      '-map [filtered_v] -map [filtered_a] -f mp4',
    );
  });

  test('measures the loudness of the joined audio', () => {
    const parameters = { af: 'loudnorm=I=-16', pass: '2' };
    const plan = wholePlan(joined('encode', ['a.wav', 'b.wav'], parameters, 'out.wav'), {
      media: [soundFile(), soundFile()],
    });
    expect(plan.measuring).toEqual({ loudnorm: ['/parameters/af'], stabilized: [], cropped: [] });
    expect(plan.passes).toHaveLength(2);
  });

  test('shows pictures for their duration, and colour cards in the size of the film', () => {
    const inputs = [{ source: 'color=c=red', duration: '3' }, 'a.mp4', { input: 'end.png', duration: '2' }];
    const picture = { ...film({ codec: 'png', width: 400, height: 400, frameRate: 25, pixelFormat: 'rgba' }) };
    const command = commandOf(joined('encode', inputs), [
      undefined,
      film(),
      { ...picture, streams: picture.streams.slice(0, 1) },
    ]);
    expect(command).toContain(
      '-f lavfi -t 3 -format_whitelist lavfi -i color=c=red:size=1280x720:rate=25 -i file:in/1.mp4 -loop 1 -t 2 -i file:in/2.png',
    );
    expect(command).toContain(`[2:0]scale=width=720:height=720:${HD},pad=width=1280:height=720:`);
  });

  test('assumes what nobody has looked into, and asks for a probe of each file', () => {
    const inputs = ['a.mp4', { input: 'b.mp3', parameters: { ss: '2' } }, { source: 'color', duration: '1' }];
    expect(wholePlan(joined('encode', inputs)).join).toEqual({ mode: 'encode' });
    expect(draftRequest(joined('encode', inputs)).probes).toEqual([
      { input: 0, start: 0, needsLength: true, needsHeaders: true },
      { input: 1, start: 2, needsLength: true, needsHeaders: true },
    ]);
  });

  test('joins a hundred inputs, each named in the graph', () => {
    const inputs = Array.from({ length: 100 }, (_one, index) => `${index}.mp4`);
    const graph = graphOf(
      joined('encode', inputs),
      inputs.map(() => film()),
    );
    expect(graph.match(/\[v\d+\]/g)).toHaveLength(200);
    expect(graph.length).toBeLessThan(100_000);
  });

  test('reads files of filters beside the clips', () => {
    const request = joined('encode', ['a.mp4', 'b.mp4', 'words.srt'], { vf: 'subtitles=words.srt' });
    const graph = graphOf(request, [film(), film(), undefined]);
    expect(graph).toContain('concat=n=2:v=1:a=1[joined_v][joined_a];[joined_v]subtitles=filename=in/2.srt');
  });

  test.each<[string, ConversionRequest, string]>([
    ['one input', joined('encode', ['a.mp4']), '/join TOO_FEW'],
    ['a single input', { input: 'a.mp4', join: 'encode', output: 'b.mp4' }, '/join TOO_FEW'],
    ['a picture without a duration', joined('encode', ['a.mp4', 'b.png']), '/inputs/1 NEEDS_DURATION'],
    [
      'a source without a duration',
      joined('encode', ['a.mp4', { source: 'color' }]),
      '/inputs/1/source NEEDS_DURATION',
    ],
    ['numbered pictures', joined('encode', ['a.mp4', 'f/%03d.png']), '/inputs/1 NO_SEQUENCE'],
    ['maps', joined('encode', ['a.mp4', 'b.mp4'], { map: '0:v' }), '/parameters/map EXCLUSIVE'],
    [
      'graphs',
      joined('encode', ['a.mp4', 'b.mp4'], { filter_complex: '[0:v]hflip' }),
      '/parameters/filter_complex EXCLUSIVE',
    ],
    ['copies', joined('encode', ['a.mp4', 'b.mp4'], { 'c:v': 'copy' }), '/parameters/c:v NEEDS_ENCODER'],
    [
      'a crossfade of the first clip',
      joined('encode', [{ input: 'a.mp4', crossfade: '1' }, 'b.mp4']),
      '/inputs/0/crossfade BAD_CROSSFADE',
    ],
    [
      'a crossfade that is too long',
      joined('encode', ['a.mp4', { input: 'b.mp4', crossfade: '61' }]),
      '/inputs/1/crossfade BAD_CROSSFADE',
    ],
    [
      'a crossfade of copies',
      joined('copy', ['a.mp4', { input: 'b.mp4', crossfade: '1' }]),
      '/inputs/1/crossfade NEEDS_ENCODER',
    ],
    [
      'several outputs',
      { inputs: ['a.mp4', 'b.mp4'], join: 'encode', outputs: [{ output: 'a.mkv' }, { output: 'b.mkv' }] },
      '/outputs ONE_OUTPUT_ONLY',
    ],
  ])('rejects %s', (_what, request, code) => {
    expect(errorCodesOf(request)).toContain(code);
  });

  test('fades clips into each other, each with a picture and a sound of the same whole frames', () => {
    const inputs = ['a.mp4', 'b.mp4', { input: 'c.mp4', crossfade: '1' }];
    const [graph, plan] = [
      graphOf(joined('encode', inputs), [film(), muteFilm(), film()]),
      wholePlan(joined('encode', inputs), { media: [film(), muteFilm(), film()] }),
    ];
    expect(graph).toContain(':start_time=0,setparams=');
    expect(graph).toContain(
      'tpad=stop=-1:stop_mode=clone,trim=end_frame=250[v2];[v0][v1]concat=n=2[q0];[q0]settb=AVTB,fps=25[g0];' +
        '[v2]settb=AVTB,fps=25[g1];[g0][g1]xfade=duration=1:offset=19[x1];' +
        '[x1]trim=end_frame=725,format=pix_fmts=yuv420p[joined_v];',
    );
    expect(graph).toContain('aresample=async=1:first_pts=0,apad,atrim=end_sample=480000[a0];');
    expect(graph).toContain('anullsrc=channel_layout=stereo:sample_rate=48000,atrim=end_sample=480000[a1];');
    expect(graph).toContain('[a0][a1]concat=n=2:v=0:a=1[r0];[r0][a2]acrossfade=nb_samples=48000[y1];');
    expect(plan.outputs[0]?.span.joined).toBe(29);
    expect(plan.warnings).toEqual([]);
  });

  test('shortens a crossfade for which a clip is too short, and says so', () => {
    const inputs = ['a.mp4', { input: 'b.mp4', crossfade: '2', parameters: { t: '3' } }];
    const { warnings } = wholePlan(joined('encode', inputs), { media: [film(), film()] });
    expect(warnings).toEqual([
      {
        field: '/inputs/1/crossfade',
        code: 'SHORTER_CROSSFADE',
        message:
          'The crossfade takes 1.48 s instead of 2 s: "b.mp4" is 3 s long, and a crossfade takes at most half of a clip.',
      },
    ]);
    const shorter = ['a.mp4', { input: 'b.mp4', crossfade: '1.48', parameters: { t: '3' } }];
    expect(wholePlan(joined('encode', shorter), { media: [film(), film()] }).warnings).toEqual([]);
  });

  const endless = { format: { names: ['matroska', 'webm'], tags: {} } };
  test('fails instead of cutting a clip of unknown length for a crossfade', () => {
    const fading = joined('encode', ['a.webm', { input: 'b.mp4', crossfade: '1' }]);
    expect(errorsOf(fading, { media: [film({}, {}, endless), film()] })).toEqual([
      {
        field: '/inputs/0',
        code: 'UNKNOWN_LENGTH',
        message:
          'The length of "a.webm" is unknown, but a crossfade needs it: a copy of the file ("c": "copy") has one.',
      },
    ]);
    expect(graphOf(joined('encode', ['a.webm', 'b.mp4']), [film({}, {}, endless), film()])).not.toContain('trim=');
    const asked = joined('encode', [
      { input: 'a.webm', parameters: { t: '12' } },
      { input: 'b.mp4', crossfade: '1' },
    ]);
    expect(graphOf(asked, [film({}, {}, endless), film()])).toContain('trim=end_frame=300[v0]');
    const repeated = { input: 'a.mp4', parameters: { stream_loop: '2' } };
    expect(errorsOf(joined('encode', [repeated, { input: 'b.mp4', crossfade: '1' }]))).toMatchObject([
      { code: 'UNKNOWN_LENGTH', message: expect.stringContaining('"t" in the parameters of the input sets it') },
    ]);
  });

  test('does not take an estimated length for that of a clip', () => {
    const fading = joined('encode', ['a.mp3', { input: 'b.mp3', crossfade: '1' }], {}, 'c.wav');
    const estimated: ProbedInput = { ...soundFile(), format: { ...film().format, names: ['mp3'] } };
    expect(wholePlan(fading, { media: [estimated, estimated] }).outputs[0]?.span.joined).toBeUndefined();
    const exact: ProbedInput = { ...estimated, hasExactLength: true };
    expect(wholePlan(fading, { media: [exact, exact] }).outputs[0]?.span.joined).toBe(19);
    const { durationSeconds: _, ...format } = exact.format;
    expect(errorCodesOf(fading, { media: [exact, { ...exact, format }] })).toEqual(['/inputs/1/input UNKNOWN_LENGTH']);
  });

  test('copies of clips can have several outputs', () => {
    const outputs = [{ output: 'x.mkv' }, { output: 'y.mp4' }];
    const plan = wholePlan({ inputs: ['a.mp4', 'b.mp4'], join: 'copy', outputs }, { media: [film(), film()] });
    expect(plan.passes).toHaveLength(1);
    expect(plan.texts).toHaveLength(1);
  });
});

describe('sources', () => {
  const withSource = (source: string, more: Partial<InputSpec> = { duration: '1' }): ConversionRequest => ({
    inputs: ['a.mp4', { source, ...more }],
    output: 'b.mp4',
    parameters: { map: ['0:v', '1:a'] },
  });

  test('are inputs of their own number', () => {
    const request = { ...withSource('anullsrc=r=48000:cl=stereo'), parameters: { map: ['0:v', '1:a'], 'c:v': 'copy' } };
    const plan = wholePlan(request);
    expect(plan.passes[0]?.join(' ')).toContain(
      '-f lavfi -t 1 -format_whitelist lavfi -i anullsrc=r=48000:cl=stereo -map 0:v -map 1:a -c:v copy',
    );
    expect(plan.warnings).toEqual([]);
    expect(plan.inputs[1]).toMatchObject({ isSource: true, path: 'anullsrc=r=48000:cl=stereo' });
  });

  test.each<[string, ConversionRequest, string]>([
    ['filters that open files', withSource('movie=a.mp4'), 'FILTER_NOT_ALLOWED'],
    ['filters that open sounds', withSource('amovie=a.mp4'), 'FILTER_NOT_ALLOWED'],
    ['files of filters', withSource('color,drawtext=textfile=a.txt'), 'NOT_AN_INPUT'],
    ['filters of inputs', withSource('hflip'), 'NOT_A_SOURCE'],
    ['labels of inputs', withSource('[0:v]hflip'), 'NOT_A_SOURCE'],
    ['several streams', withSource('color[out0];sine[out1]'), 'NOT_A_SOURCE'],
    ['sinks', withSource('anullsrc,anullsink'), 'NOT_A_SOURCE'],
    ['text that is no graph', withSource('color=[c'), 'BAD_FILTERGRAPH'],
    ['very large pictures', withSource('color=s=20000x20000'), 'LIMIT_EXCEEDED'],
    ['very many pictures', withSource('testsrc=r=5000'), 'LIMIT_EXCEEDED'],
    ['very long frames of sound', withSource('anoisesrc=n=100000'), 'LIMIT_EXCEEDED'],
    ['no end', withSource('sine', {}), 'NEEDS_DURATION'],
    [
      'no end beside another without one',
      {
        inputs: [{ source: 'color' }, { source: 'anullsrc' }],
        output: 'b.mp4',
        parameters: { shortest: '' },
      },
      'NEEDS_DURATION',
    ],
    ['two ends', withSource('sine', { duration: '1', parameters: { t: '2' } }), 'DUPLICATE_OPTION'],
    ['a duration of 0', withSource('sine', { duration: '0' }), 'BAD_DURATION'],
  ])('reject %s', (_what, request, code) => {
    expect(errorsOf(request).map((error) => error.code)).toContain(code);
  });

  test.each([
    ['hflip', '"hflip" is not a source'],
    ['color,split', '"split" is not a source'],
    ['color,[0:v]overlay', '"overlay" is not a source'],
    ['color[a];[b]hflip', '"hflip" is not a source'],
    ['anullsrc,anullsink', '"anullsink" is not a source'],
    ['color[out0];sine[out1]', 'The filtergraph has 2 outputs'],
  ])('name the filter at fault: %s', (source, start) => {
    const [error] = errorsOf(withSource(source));
    expect(error?.message).toBe(
      `${start}. A source has no input and exactly one output, such as "color=c=black:s=1280x720:r=25".`,
    );
  });

  test('may end with another input', () => {
    const request = withSource('anullsrc', {});
    const plan = wholePlan({ ...request, parameters: { ...request.parameters, shortest: '' } });
    expect(plan.warnings).toEqual([]);
    expect(plan.passes[0]).not.toContain('-t');
    const sources = [{ source: 'color', duration: '2' }, { source: 'anullsrc' }];
    expect(errorCodesOf({ inputs: sources, output: 'b.mp4', parameters: { shortest: '' } })).toEqual([]);
  });

  test('can be all inputs, and parts of graphs', () => {
    const request: ConversionRequest = {
      inputs: [{ source: 'testsrc2=s=320x180', duration: '2' }, { source: 'color=c=red:s=64x64:d=2' }],
      output: 'b.mp4',
      parameters: { filter_complex: '[0:v][1:v]overlay[v]', map: '[v]' },
    };
    expect(wholePlan(request).warnings).toEqual([]);
  });
});
