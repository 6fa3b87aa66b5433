/**
 * Records the help texts of an ffmpeg, for the tests of the parsers and the planner:
 *   node scripts/record-catalogue.ts FFMPEG VERSION [--complete]
 * writes test/fixtures/ffmpeg-help/VERSION.json.br. See the README there. With `--complete`, it has all components that
 * requests may use, so that the services of the tests query none.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import pLimit from 'p-limit';
import { CLI_RULES } from '../packages/ffmpeg/src/allowlist/allowed-cli-options.ts';
import { DEVICE_FILTERS } from '../packages/ffmpeg/src/allowlist/device-components.ts';
import { FILTERS } from '../packages/ffmpeg/src/allowlist/filters.ts';
import { identifyBuild } from '../packages/ffmpeg/src/catalogue/build.ts';
import { componentKey, LIST_OF } from '../packages/ffmpeg/src/catalogue/catalogue.ts';
import { completeCatalogue } from '../packages/ffmpeg/src/catalogue/complete-catalogue.ts';
import type { ComponentKind } from '../packages/ffmpeg/src/catalogue/component.ts';
import { openCatalogue } from '../packages/ffmpeg/src/catalogue/live-catalogue.ts';
import {
  parseInitialAnswers,
  parseListAnswers,
  queryComponent,
  queryOption,
} from '../packages/ffmpeg/src/catalogue/query-ffmpeg.ts';
import { INITIAL_QUERIES, LIST_QUERIES, runQueries } from '../packages/ffmpeg/src/catalogue/started-queries.ts';

/** Components that tests name, and components with unusual help texts. */
const COMPONENTS: Readonly<Record<ComponentKind, string>> = {
  encoder:
    'libx264 libx265 libvpx-vp9 libsvtav1 libaom-av1 mpeg4 mpeg2video mjpeg gif apng png libwebp prores_ks ffv1 jpeg2000 ' +
    'rawvideo libvpx libtheora dnxhd dvvideo h263 wrapped_avframe aac libmp3lame libopus libvorbis opus vorbis mp2 ' +
    'flac alac ac3 eac3 pcm_s16le pcm_s24le pcm_mulaw mov_text subrip ass ssa webvtt h264_nvenc hevc_nvenc h264_qsv wmv2 ' +
    'librav1e mpeg1video',
  decoder: 'h264 aac rawvideo libvpx-vp9',
  muxer:
    'mp4 mov ipod matroska webm hls dash segment gif image2 mp3 adts ogg opus wav flac mpegts avi flv srt null ' +
    '3gp ac3 apng dv dvd ffmetadata h264 mpeg mxf rawvideo s16le webp webvtt yuv4mpegpipe framemd5 nut avs2 vcd mp2 ' +
    'mpeg2video webm_dash_manifest ismv scc rcwt iamf ass crc framecrc framehash hash md5 streamhash',
  demuxer: 'mov image2 matroska rawvideo s16le gif',
  filter: [...FILTERS, ...DEVICE_FILTERS, 'movie'].join(' '),
  bsf: 'h264_mp4toannexb h264_metadata aac_adtstoasc setts filter_units noise hapqa_extract pcm_rechunk prores_metadata',
};

const [path, version, complete] = process.argv.slice(2);
if (path === undefined || version === undefined) throw new Error('record-catalogue.ts FFMPEG VERSION [--complete]');
const build = await identifyBuild(path);
const some = pLimit(2);

const basics = await runQueries(build.path, { ...INITIAL_QUERIES, ...LIST_QUERIES });
const { cli, lists } = parseInitialAnswers(build, basics, parseListAnswers(basics));
// Includes options that the help does not list: the help of ffmpeg 7 and later omits `s`.
const options = [...CLI_RULES.keys()];
const answers = await some.map(options, async (name) => [name, await queryOption(build, name)] as const);
const facts = answers.filter(([name, { place }]) => cli.has(name) || name.startsWith('no') || place !== 'nowhere');
const named = await some.map(
  (Object.keys(COMPONENTS) as ComponentKind[]).flatMap((kind) =>
    COMPONENTS[kind]
      .split(' ')
      .filter((name) => lists[LIST_OF[kind]].has(name))
      .map((name) => ({ kind, name })),
  ),
  async (component) => [componentKey(component), await queryComponent(build, component)] as const,
);
const requestable =
  complete === undefined
    ? []
    : (await completeCatalogue(await openCatalogue(build, undefined), new AbortController().signal)).components;
const components = [...new Map([...named, ...requestable])].map(([key, { text }]) => [key, text] as const);
const recording = {
  versionLine: build.versionLine,
  version: build.version,
  release: build.release,
  basics,
  options: facts,
  components,
};
await writeFile(
  join(import.meta.dirname, '..', 'test', 'fixtures', 'ffmpeg-help', `${version}.json.br`),
  brotliCompressSync(JSON.stringify(recording), {
    params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 },
  }),
);
