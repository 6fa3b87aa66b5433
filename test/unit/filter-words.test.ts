import { describe, expect, test } from 'vitest';
import type { FieldError } from '../../packages/contract/src/domain/problem.ts';
import { FILTER_FILES } from '../../packages/ffmpeg/src/allowlist/filter-files.ts';
import { filterText } from '../../packages/ffmpeg/src/allowlist/filter-text.ts';
import { FILTERS } from '../../packages/ffmpeg/src/allowlist/filters.ts';
import { componentOf } from '../../packages/ffmpeg/src/catalogue/components.ts';
import { planRequest } from '../support/planning.ts';
import { RECORDED, type Recorded, recordedCatalogue } from '../support/recorded-catalogue.ts';
import { told } from '../support/told.ts';

const catalogues = new Map(RECORDED.map((version) => [version, recordedCatalogue(version)]));

/** The errors of a graph in a request with one input and without maps. */
function errorsOf(version: Recorded, graph: string): readonly FieldError[] {
  const catalogue = catalogues.get(version);
  if (catalogue === undefined) throw new Error(version);
  const request = { input: 'a.mp4', output: 'b.mkv', parameters: { filter_complex: `[0]${graph}` } };
  const result = planRequest(request, { catalogue });
  return result.ok ? [] : result.errors;
}

describe.each(RECORDED)('%s', (version) => {
  test.each([
    ['scale=320:-2:flags=lanczoss', 'lanczos'],
    ['scale=320:-2:flags=lanczos+acurate_rnd', 'accurate_rnd'],
    ['scale=320:-2:in_color_matrix=bt7009', 'bt709'],
    ['scale=720p', 'hd720'],
    ['drawbox=c=blackk', 'black'],
    ['hflip,pad=640:480:color=balck,vflip', 'black'],
    ['format=pix_fmts=rgb24|yuv420pp|gray', 'yuv420p'],
    ['drawtext=text=a\\,b:fontcolor=whitee', 'white'],
    ['aformat=channel_layouts=mono|5.1(sidee)', '5.1(side)'],
    ['bass=g=3:c=FLL', 'FL'],
    ['channelmap=FL-FRR|FR-FL', 'FR'],
    ['pan=sterio|c0=c1|c1=c0', 'stereo'],
    ['pan=stereo|FL=0.5*FCC+FL|FR=FR', 'FC'],
    ['showwavespic=colors=red|bleu', 'blue'],
    ['scalee=320:-2', 'scale'],
    ['scale=320:-2:flag=lanczos', 'flags'],
    ['eq=contrast=1:eval=framee', 'frame'],
  ])('the fix for %s is the nearest word', (graph, meant) => {
    expect(told(errorsOf(version, graph)).map(({ fix }) => fix)).toEqual([`Send "${meant}".`]);
  });

  test.each([
    'drawbox=1:2:30:40:invertt',
    'rotate=1:c=nonee',
    'aformat=fltpp:48000:stereoo',
    'aformat=sample_rates=44100|48kHz',
    'aeval=val(0):c=sane',
    'zscale=s=1280 x 720',
  ])('rejects %s', (graph) => {
    expect(errorsOf(version, graph).length).toBeGreaterThan(0);
  });

  test.each([
    'scale=320:-2:flags=lanczos+accurate_rnd+full_chroma_int',
    'scale=320:-2:flags=16',
    'scale=320:-2:flags=',
    'scale=320:-2:in_color_matrix=auto:out_color_matrix=bt709:out_range=tv',
    'drawbox=c=RED@0.5',
    'drawbox=color=0xff00ff80@0x7f',
    'drawgrid=c=#ffffff',
    'drawbox=c=invert:t=fill',
    'rotate=PI/4:c=none',
    'shear=shx=0.1:c=random',
    'pad=640:480:color=AliceBlue',
    'format=yuv420p10',
    'format=yuv420p|rgb24|0',
    'noformat=pix_fmts=gray',
    'aformat=fltp|s16:44.1k|48000:stereo|5.1(side)|6c|0x3|FL+FR',
    'aformat=cl=2',
    'bass=g=3:c=FL|FR',
    'bass=g=3:c=all',
    'channelmap=FL-FR|FR-FL:stereo',
    'channelmap=0|1',
    'pan=mono|c0=.5*c0-1e-1*c1',
    'pan=5.1(side)|FL<FL+0.707*FC|FR < FR + 0.707*FC',
    'pan=2c|c0=c1',
    'aeval=val(0)|val(1):c=same',
    'surround=chl_out=5.1:chl_in=stereo',
    'showwavespic=colors=red|0x00ff00 blue',
    'showspectrum=fps=auto',
    'showspectrum=fps=30000/1001',
    'sofalizer=speakers=FL 45|FR 315 10',
    'zscale=s=hd720',
    'aphasemeter=mpc=none:video=0',
  ])('accepts %s', (graph) => {
    const wrong = errorsOf(version, graph).filter(({ code }) => !['UNUSED_LABEL', 'NOT_AN_INPUT'].includes(code));
    expect(wrong).toEqual([]);
  });
});

test('checks the scaler flags of the graph', () => {
  const errorsOf = (flags: string) => {
    const catalogue = recordedCatalogue('7.1');
    const parameters = { vf: `sws_flags=${flags};scale=320:-2` };
    return planRequest({ input: 'a.mp4', output: 'b.mkv', parameters }, { catalogue });
  };
  expect(errorsOf('bicubic+accurate_rnd').ok).toBe(true);
  expect(errorsOf('bicubicc')).toMatchObject({ errors: [{ nearest: { given: 'bicubicc', is: 'word' } }] });
});

test.each([
  ['format=color_spaces=bt709|bt470bg:color_ranges=pc|tv', []],
  ['format=color_spaces=bt70bg', ['Send "bt470bg".']],
  ['format=color_ranges=limited', ['Send "tv".']],
  ['format=alpha_modes=straight|premultiplied', []],
  ['format=alpha_modes=strait', ['Send "straight".']],
])('checks the words of ffmpeg 9.0: %s', (graph, fixes) => {
  expect(told(errorsOf('9.0', graph)).map(({ fix }) => fix)).toEqual(fixes);
});

test('each of several errors names its own word', () => {
  const fixes = told(errorsOf('5.1', 'drawbox=c=blackk,drawbox=c=qqqqqqqqqq')).map(({ fix }) => fix);
  expect(fixes).toEqual(['Send "black".', undefined]);
});

test.each([
  "adrc=transfer='if(gt(p,-50),-50+(p-(-50))/6,p)':attack=50:channels=FC",
  "dynaudnorm=curve='min(p,0.9)'",
  'showcwt=rate=25',
  'showcwt=r=auto',
])('accepts with ffmpeg 7.1: %s', (graph) => expect(errorsOf('7.1', graph)).toEqual([]));

test.each(['adrc=transfer=while(1\\,1)', 'adrc=channels=FX', 'dynaudnorm=curve=print(p)', 'showcwt=rate=x/../y'])(
  'rejects with ffmpeg 7.1: %s',
  (graph) => expect(errorsOf('7.1', graph)).toHaveLength(1),
);

test.each(RECORDED)('each text of an allowed filter of ffmpeg %s is reviewed, or names a file to write', (version) => {
  const unknown = [...FILTERS].flatMap((name) => {
    const { options = [] } = componentOf(recordedCatalogue(version), 'filter', name) ?? {};
    const texts = options.filter(
      ({ type, list, readOnly }) => !readOnly && (list || ['string', 'binary', 'dictionary'].includes(type)),
    );
    const files = FILTER_FILES.get(name)?.flatMap(({ names }) => names) ?? [];
    return texts.flatMap((option) =>
      filterText(name, option.name) === undefined && !files.includes(option.name) ? [`${name}=${option.name}`] : [],
    );
  });
  expect(unknown.filter((one) => !WRITES.test(one))).toEqual([]);
});

/** Options of files that a filter writes. */
const WRITES =
  /=(?:stats_file|plot|dumpfile|debug_kdtree|heatmap_str)$|metadata=file$|deshake=filename$|vidstab(?:detect=result|transform=input)$|^(?:x?psnr|ssim(?:360)?)=f$/;
