// @module-tag long
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import type { MediaPath } from '../../packages/contract/src/domain/media-path.ts';
import type { OpenFile } from '../../packages/service/src/files/ports.ts';
import { growthError } from '../support/growth.ts';
import { startCounting } from '../support/work.ts';

const counter = startCounting();
const { Problem } = await import('../../packages/contract/src/domain/problem.ts');
const { measureVariants, parsePlaylist } = await import('../../packages/ffmpeg/src/sampling/run/finish-ladder.ts');
const { playedFiles } = await import('../../packages/service/src/previews/manifests/played-files.ts');

const fileOf = (path: string, text: string): OpenFile => ({
  ...{
    path: path as MediaPath,
    modifiedAt: new Date(0),
    fingerprint: path,
    isOutput: () => true,
    close: async () => {},
  },
  sizeBytes: text.length,
  read: () => Readable.from([Buffer.from(text)]),
});

const NEVER = new AbortController().signal;

/** The files that are played of a manifest, or why there are none. Every file that it names is there. */
async function played(text: string): Promise<unknown> {
  const found = (['video', 'audio'] as const).map((kind) =>
    playedFiles(fileOf('h/a.mpd', text), kind, async (path) => fileOf(path, 'a'), NEVER).catch((error: unknown) => {
      if (error instanceof Problem) return error;
      throw error;
    }),
  );
  return Promise.all(found);
}

const segments = (lines: string): string => `#EXTM3U\n#EXT-X-TARGETDURATION:4\n${lines}#EXTINF:4,\na.ts\n`;

const mpd = (sets: string): string =>
  `<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011"><Period duration="PT8.5S">${sets}</Period></MPD>`;
const set = (content: string): string => `<AdaptationSet mimeType="video/mp4">${content}</AdaptationSet>`;
const representation = (content: string, attributes = ''): string =>
  `<Representation id="1" bandwidth="900"${attributes}>${content}</Representation>`;
const TEMPLATE = '<SegmentTemplate media="$Number$" duration="1"/>';

const counted = (size: number, one: (at: number) => string): string =>
  Array.from({ length: size }, (_, at) => one(100_000 + at)).join('');

/** Manifests of a size by what there are many of. Anybody who may store files can send them. */
const MANIFESTS: Readonly<Record<string, readonly [(size: number) => string, number]>> = {
  'segments of HLS': [(n) => segments(counted(n, (at) => `#EXTINF:4,\n${at}.ts\n`)), 100],
  'variants of HLS': [(n) => segments(counted(n, (at) => `#EXT-X-STREAM-INF:BANDWIDTH=1\n${at}.m3u8\n`)), 100],
  'sounds of HLS': [(n) => segments(counted(n, (at) => `#EXT-X-MEDIA:TYPE=AUDIO,URI="${at}"\n`)), 100],
  'commas in an attribute list': [(n) => segments(`#EXT-X-KEY:${','.repeat(n)}\n`), 1000],
  'spaces in an attribute': [(n) => segments(`#EXT-X-KEY:A=b${' '.repeat(n)}c\n`), 1000],
  'open quotes in an attribute list': [(n) => segments(`#EXT-X-KEY:${'A="'.repeat(n)}\n`), 1000],
  'long names of attributes': [(n) => segments(`#EXT-X-KEY:${'A'.repeat(n)}\n`), 1000],
  'spaces before the text': [(n) => `${' '.repeat(n)}\n${segments('')}`, 1000],
  'empty lines': [(n) => segments('\r\n'.repeat(n)), 1000],
  'variables in addresses': [
    (n) => segments(`#EXT-X-DEFINE:NAME="v",VALUE="${'v'.repeat(n)}"\n${'{$v}.ts\n'.repeat(n)}`),
    100,
  ],
  'long addresses': [(n) => segments(`${'a/'.repeat(n)}.ts\n`), 100],
  'sets of DASH': [(n) => mpd(set(representation(TEMPLATE)).repeat(n)), 20],
  'representations of a set': [(n) => mpd(set(representation(TEMPLATE).repeat(n))), 20],
  'elements beside representations': [(n) => mpd(set(representation('').repeat(n) + '<a/>'.repeat(n))), 12],
  'elements beside sets': [(n) => mpd(set(representation('')).repeat(n) + '<ContentProtection/>'.repeat(n)), 12],
  'names in a list': [
    (n) => mpd(set(representation(`<SegmentList>${counted(n, (at) => `<SegmentURL media="${at}"/>`)}</SegmentList>`))),
    100,
  ],
  'times in a timeline': [
    (n) =>
      mpd(
        set(
          representation(
            `<SegmentTemplate media="$Time$"><SegmentTimeline>${'<S d="1"/>'.repeat(n)}</SegmentTimeline></SegmentTemplate>`,
          ),
        ),
      ),
    100,
  ],
  'segments of a template': [
    (n) => mpd(set(representation(`<SegmentTemplate media="$Number$" duration="1" timescale="${n}"/>`))),
    10,
  ],
  'long names of segments': [
    (n) => mpd(set(representation(`<SegmentTemplate media="${'$Number$'.repeat(n)}" duration="1"/>`))),
    100,
  ],
  'long base addresses': [(n) => mpd(set(representation(`<BaseURL>${'b/'.repeat(n)}</BaseURL>${TEMPLATE}`))), 100],
  'elements inside each other': [(n) => mpd('<a>'.repeat(n) + '</a>'.repeat(n)), 100],
  'namespaces inside each other': [(n) => mpd(counted(n, (at) => `<a xmlns:n${at}="u">`) + '</a>'.repeat(n)), 100],
  attributes: [(n) => mpd(`<a ${counted(n, (at) => `a${at}="" `)}/>`), 100],
  'errors of XML': [(n) => mpd('<a b=c &'.repeat(n)), 100],
  entities: [(n) => mpd(`<BaseURL>${'&lt;'.repeat(n)}</BaseURL>`), 100],
  'own entities': [
    (n) =>
      `<!DOCTYPE MPD [${counted(n, (at) => `<!ENTITY a${at} "${'&a;'.repeat(10)}">`)}]>${mpd('<BaseURL>&a100000;</BaseURL>')}`,
    20,
  ],
  comments: [(n) => mpd('<!-- -->'.repeat(n)), 100],
  'texts between elements': [(n) => mpd('a<b/>'.repeat(n)), 100],
  'data sections': [(n) => mpd('<![CDATA[a]]>'.repeat(n)), 100],
  'spaces in a tag': [(n) => mpd(`<a${' '.repeat(n)}b${' '.repeat(n)}=""/>`), 1000],
};

test.each(Object.keys(MANIFESTS))('the work to read a manifest grows linearly: %s', async (title) => {
  const [textOf, size] = MANIFESTS[title] ?? [() => '', 1];
  const prepare = (of: number) => {
    const text = textOf(of);
    return () => played(text);
  };
  expect(await growthError(counter, prepare, size)).toBeUndefined();
});

test('the work to read a playlist of many tiny segments grows linearly', async () => {
  const prepare = (size: number) => {
    const text = '#EXTINF:0.001,\n#EXT-X-BYTERANGE:1\na.ts\n'.repeat(size);
    return () => parsePlaylist(text);
  };
  expect(await growthError(counter, prepare, 500)).toBeUndefined();
});

test('the work to read a master playlist with an endless list of audio grows linearly', async () => {
  const prepare = (size: number) => {
    const text = `#EXT-X-MEDIA:TYPE=AUDIO${',URI="a'.repeat(size)}`;
    return () => measureVariants(text, async () => undefined);
  };
  expect(await growthError(counter, prepare, 500)).toBeUndefined();
});
